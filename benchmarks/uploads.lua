-- Uploads for wrk: as many answers in each as arguments say, every one under an id of its own, to any of some paths; each
-- with an invitation of its own, if the environment names a file of them.
local random, count, answers, wait, paths, codes
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  math.randomseed(tonumber(args[5]) + number)
  local own = {}
  for place = 1, 8 do own[place] = string.char(math.random(0, 255)) end
  random, count = table.concat(own), 0
  local width, n = tonumber(args[1]), tonumber(args[2])
  wait = tonumber(args[3])
  answers = string.char(0, 0, n % 256, math.floor(n / 256) % 256, math.floor(n / 65536), 0) .. string.rep(string.char(0), width * n)
  wrk.method = args[4]
  paths = {}
  for place = 6, #args do paths[place - 5] = args[place] end
  wrk.headers["Content-Type"] = "application/octet-stream"
  codes = os.getenv("CODES") and io.lines(os.getenv("CODES"))
end

function delay() return wait end

function request()
  count = count + 1
  local own = {}
  for place = 0, 7 do own[place + 1] = string.char(math.floor(count / 256 ^ place) % 256) end
  if codes then wrk.headers["Authorization"] = "Invitation " .. codes() end
  return wrk.format(nil, paths[math.random(#paths)], nil, random .. table.concat(own) .. answers)
end

function done(summary, latency)
  io.write(string.format("\nJSON %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), summary.errors.status, summary.errors.timeout + summary.errors.read))
end

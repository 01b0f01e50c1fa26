/* What the script adds to the builder, which works without it: it saves what is typed within a second, shows the question
   as people will see it at every key, and lets nobody leave before all is saved. */

const QUIET = 400; // milliseconds without a key after which is saved
const LONGEST = 900; // and at the latest after the first key
const AGAIN = 2000; // after a failure
const form = document.querySelector("form[data-draft]");
const state = document.getElementById("state");
const shown = {};
let first = 0; // when the first key came that is not saved; 0 if all is
let timer = 0;
let saving = null;
let stopped = false;

function fields() {
  const sent = new URLSearchParams(new FormData(form));
  sent.set("auto", "1");
  return sent;
}

function say(words, link, address) {
  state.textContent = words;
  if (!link) return;
  const way = document.createElement(address ? "a" : "button");
  way.textContent = link;
  if (address) way.href = address;
  else {
    way.className = "link";
    way.type = "button";
    way.addEventListener("click", () => form.submit());
  }
  state.append(" ", way);
}

function later(wait = QUIET) {
  const now = Date.now();
  first ||= now;
  clearTimeout(timer);
  timer = setTimeout(save, Math.max(0, Math.min(wait, first + LONGEST - now)));
}

/** Save, after whatever is being saved; whether all that was typed so far is on the server. */
function save() {
  clearTimeout(timer);
  saving = (saving ?? Promise.resolve()).then(post);
  return saving;
}

async function post() {
  if (!first || stopped) return !first;
  const since = first;
  first = 0;
  try {
    const reply = await fetch(form.action, { method: "POST", body: fields(), headers: { Accept: "application/json" } });
    if (reply.ok) {
      take(await reply.json());
      return true;
    }
    if (reply.status === 401 || reply.status === 409) {
      stopped = true;
      say(state.dataset.signedOut, state.dataset.signIn);
    } else say(state.dataset.refused, state.dataset.why);
  } catch {
    say(state.dataset.waiting);
    timer = setTimeout(save, AGAIN);
  }
  first = since;
  return false;
}

/** When all was saved, by the clock on this wall. */
function saved(seconds) {
  const { lang } = document.documentElement;
  const clock = { hour: "2-digit", minute: "2-digit" };
  const time = new Date(seconds * 1000).toLocaleTimeString(lang === "en" ? "en-GB" : lang, clock);
  say(state.dataset.saved.replace("{time}", time));
}

function take({ id, version, changed, beside, live }) {
  const action = form.getAttribute("action");
  form.setAttribute("action", action.replace(`/${form.dataset.draft}/`, `/${id}/`));
  form.dataset.draft = id;
  form.elements.version.value = version;
  if (beside) {
    const both = form.getAttribute("action").replace(/[^/]+$/, "differs");
    say(state.dataset.beside, state.dataset.both, both);
  } else saved(changed);
  for (const [part, html] of Object.entries(live)) renew(part, html);
}

function renew(part, html) {
  if (shown[part] === html) return;
  shown[part] = html;
  const place = document.getElementById(part);
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  place.innerHTML = html;
  if (focused) document.getElementById(focused)?.focus();
}

// --- the question as people will see it ---

function mirror(field) {
  for (const place of document.querySelectorAll(`[data-shows="${CSS.escape(field.id)}"]`)) {
    const words = place.dataset.words ?? "{}";
    place.textContent = field.value ? words.replace("{}", () => field.value) : (place.dataset.usual ?? "");
    const row = place.closest("#preview .check");
    if (row) row.hidden = !field.value;
  }
}

// --- answers, one after another ---

function answerAfter(field) {
  const row = field.closest("li");
  if (row.nextElementSibling) return row.nextElementSibling.querySelector("input");
  const next = row.cloneNode(true);
  const number = row.parentElement.children.length;
  const input = next.querySelector("input");
  input.id = input.id.replace(/\d+$/, number);
  input.value = "";
  input.setAttribute("aria-label", input.getAttribute("aria-label").replace(/\d+/, number + 1));
  const alone = next.querySelector("[type=checkbox]");
  Object.assign(alone, { value: number, checked: false });
  alone.setAttribute("aria-label", alone.getAttribute("aria-label").replace(/\d+/, number + 1));
  for (const button of next.querySelectorAll("button")) {
    button.value = button.value.replace(/\d+$/, number);
    button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/\d+$/, number + 1));
  }
  row.after(next);
  return input;
}

function isAnswer(field) {
  return field instanceof HTMLInputElement && field.name.startsWith("answer-");
}

// --- what people do ---

function begin() {
  const [zone, changed] = [form.elements.zone, Number(state.dataset.changed)];
  if (new Date(1000 * changed).toDateString() === new Date().toDateString()) saved(changed);
  if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  form.addEventListener("input", ({ target }) => {
    const level = form.elements.level;
    if (target.name === "epsilon") for (const each of level) each.checked = each.value === target.value;
    if (target.name === "level") form.elements.epsilon.value = target.value;
    mirror(target.name === "level" ? form.elements.epsilon : target);
    later(/^(radio|checkbox)$/.test(target.type) ? 0 : QUIET);
  });
  form.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || !(field instanceof HTMLInputElement) || /^(radio|checkbox)$/.test(field.type)) return;
    event.preventDefault(); // or it would press the first button, which saves and shows the page anew
    if (isAnswer(field)) answerAfter(field).focus();
    else save();
  });
  form.addEventListener("paste", (event) => {
    const lines = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/).filter((line) => line.trim());
    if (!isAnswer(event.target) || lines.length < 2) return;
    event.preventDefault();
    let field = event.target;
    for (const [place, line] of lines.entries()) {
      if (place) field = answerAfter(field);
      field.value = line.trim();
    }
    field.focus();
    later();
  });
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (button?.dataset.saved || stopped) return;
    event.preventDefault();
    if ((await save()) || stopped) {
      const sure = document.createElement("button"); // the one that was pressed may have been written anew
      Object.assign(sure, { hidden: true, name: button?.name ?? "", value: button?.value ?? "" });
      sure.dataset.saved = "1";
      form.append(sure);
      setTimeout(() => form.requestSubmit(sure)); // not while the first submission is still being told of
    }
  });
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[href]");
    const leaves = link && link.origin === location.origin && !link.hash && !link.download && !link.target;
    if (!leaves || !first || stopped || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (await save()) location.href = link.href;
  });
  addEventListener("pagehide", () => {
    if (first) navigator.sendBeacon(form.action, fields());
  });
  addEventListener("beforeunload", (event) => {
    if (first && Date.now() - first > LONGEST) event.preventDefault();
  });
}

if (form) begin();

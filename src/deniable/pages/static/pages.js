/* What scripts add to pages that work without them: two keys, buttons. */

const OFF = "deniable-keys-off";
const stored = () => {
  try {
    return localStorage.getItem(OFF);
  } catch {
    return null;
  }
};

function writes(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));
}

document.addEventListener("keydown", (event) => {
  if (stored() || event.ctrlKey || event.metaKey || event.altKey || writes(event.target)) return;
  const wanted = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!wanted) return;
  event.preventDefault();
  if (wanted instanceof HTMLAnchorElement) wanted.click();
  else wanted.focus();
});

for (const button of document.querySelectorAll("[data-keys]")) {
  const say = () => {
    button.textContent = stored() ? button.dataset.on : button.dataset.off;
  };
  button.addEventListener("click", () => {
    if (stored()) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
    say();
  });
  say();
}

/* Moments on our pages are those of the author's clock. The server learns of it by a cookie that says nothing else. */
if (document.querySelector("header[data-zone]")) {
  const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
  document.cookie = `deniable-zone=${zone}; path=/; max-age=31536000; samesite=strict`;
  const shown = document.querySelector("[data-local]")?.dataset.local ?? zone;
  if (shown !== zone && document.cookie.split("; ").includes(`deniable-zone=${zone}`)) location.reload();
}

/* What is still being worked out: the page is asked for again, and shown anew once that has come. */
const WAITING = "[data-waiting]";
async function asked() {
  const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
  return reply.ok ? new DOMParser().parseFromString(await reply.text(), "text/html") : undefined;
}
async function look() {
  try {
    const page = await asked();
    if (page && !page.querySelector(WAITING)) location.reload();
  } catch {} // no network: next time
}
if (document.querySelector(WAITING)) setInterval(look, 5000);

/* The wall: what is new takes the place of what was there; a touch makes it as large as the screen. */
const WALL = "[data-wall]";
async function renew() {
  const [before, after] = [document.querySelector(WALL), (await asked().catch(() => undefined))?.querySelector(WALL)];
  if (after && after.innerHTML !== before.innerHTML) before.replaceWith(after);
}
if (document.querySelector(WALL)) {
  setInterval(renew, 5000);
  document.addEventListener("click", () => document.documentElement.requestFullscreen?.().catch(() => {}));
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

// A private question on a page that has a text field for it: the element takes the field's place, and fills it in.
(function () {
  "use strict";
@@ask@@
  function start() {
    document.querySelectorAll(@@field|script@@).forEach(function (field) {
      ask(field);
    });
  }

  start();
  new MutationObserver(start).observe(document.documentElement, { childList: true, subtree: true });
})();

// The element.
(function () {
@@element@@
})();

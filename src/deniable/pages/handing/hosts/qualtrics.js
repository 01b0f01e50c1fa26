// A private question. Paste this as the JavaScript of a question of the type "Text entry" with several lines.
Qualtrics.SurveyEngine.addOnload(function () {
  var address = "WRITE HERE THE ADDRESS OF field.js";
@@ask@@
  ask(this.getQuestionContainer().querySelector("textarea, input"), "${e://Field/ResponseID}");
  var script = document.createElement("script");
  script.type = "module";
  script.src = address;
  document.head.appendChild(script);
});

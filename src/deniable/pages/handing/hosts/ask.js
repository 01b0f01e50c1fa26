  var survey = @@survey|script@@;

  /** Ask in the place of a text field, which then holds what the element says. */
  function ask(field, respondent) {
    if (field.hasAttribute("data-asked")) return;
    field.setAttribute("data-asked", "");
    var question = document.createElement("deniable-question");
    question.setAttribute("carry", "field");
    question.setAttribute("compact", "");
    question.setAttribute("survey", survey);
    if (respondent) question.setAttribute("respondent", respondent);
    if (field.required) question.setAttribute("required", "");
    field.required = false; // nobody can fill in what is hidden: the element waits for a choice instead
    field.style.display = "none";
    question.addEventListener("deniable", function (event) {
      field.value = event.detail.state === "reading" ? "" : question.value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    field.parentNode.insertBefore(question, field);
  }

// A private question for SurveyJS. Put this file and field.js beside your page, and there:
//
//   import { add, element } from "./@@column@@.js";
//   add(Survey); // survey-core, once, before a model is made
//   const model = new Survey.Model({ elements: [{ type: "text", name: "age" }, element] });
//
// An element of your own can stand in its place, such as { type: "deniable", name: "@@column@@", isRequired: false }.

import "./field.js";

const TYPE = "deniable";
const survey = @@survey|script@@;

/** The question as an element of a survey's JSON. */
export const element = { type: TYPE, name: "@@column@@", titleLocation: "hidden", isRequired: true };

/** Make the type of the question known. */
export function add({ CustomWidgetCollection, Serializer }) {
  const widget = {
    name: TYPE,
    title: "A private question",
    htmlTemplate: "<div></div>",
    widgetIsLoaded: () => true,
    isFit: (question) => question.getType() === TYPE,
    init: () => Serializer.addClass(TYPE, [], null, "empty"),
    afterRender,
  };
  CustomWidgetCollection.Instance.add(widget, "customtype");
}

/** Ask in a place of the page: SurveyJS gets the report, and nothing before there is one. */
function afterRender(question, place) {
  const asked = document.createElement("deniable-question");
  const attributes = { carry: "field", compact: "", survey };
  for (const [name, value] of Object.entries(attributes)) asked.setAttribute(name, value);
  asked.addEventListener("deniable", ({ detail: { state } }) => {
    if (state === "refused") question.isRequired = false; // somebody whose browser keeps nothing goes on without
    question.value = state === "answered" || state === "declined" ? asked.value : undefined;
  });
  place.replaceChildren(asked);
}

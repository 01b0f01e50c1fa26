/** English: the sentences of the label are those of wire/, to the letter. */

import type { Language, Sayings } from "./language.js";

const code = "en";
const point = ".";
const percent = "{number}%";

const SENTENCES = {
  drawn:
    "Your device reports on one of {count} parts of this survey only, drawn by lot before it looks at your answers; all " +
    "else that you answer never leaves it.",
  changed:
    "Your own device mixes your answers with chance before anything is sent: what it sends may fit your answers, or " +
    "others.",
  differs: "What is protected, and what is not, differs by question.",
  whole:
    "Whatever is sent{during} could have come from any other answers too: it is at most {factor} times likelier from " +
    "yours than from anybody else's.",
  belief:
    "Somebody who was {before} sure of one of your answers will be between {least} and {most} sure after seeing what " +
    "you send{during}.",
  during_day: " in one day",
  during_week: " in one week",
  during_month: " in one month",
  huge: "So large a factor is no protection to rely on.",
  about: "About '{name}', all your other answers being the same: {promise}",
  round: "One round by itself: what is sent is at most {factor} times likelier from your answers than from any other.",
  round_belief:
    "Somebody who was {before} sure of one of your answers will be between {least} and {most} sure after seeing what " +
    "you send in one round.",
  unchanged:
    "All rounds together, as long as your answers stay the same: what is sent is at most {factor} times likelier from " +
    "your answers than from any other.",
  life:
    "All that your device ever sends is at most {factor} times likelier from the answers that you give over the years " +
    "than from any that, as far as it shows, change and come back at the same times.",
  life_belief:
    "Somebody who knows when your answers change and come back, and was {before} sure of one of your answers will be " +
    "between {least} and {most} sure after seeing all that your device ever sends.",
  bytes: {
    one: "What is sent about your answers takes {length} byte.",
    other: "What is sent about your answers takes {length} bytes.",
  },
  range: "{least} to {most}",
  every_day: "every day",
  every_week: "every week",
  every_month: "every month",
  fresh:
    "You are asked again {every}, and what all your answers tell together adds up: your device stops once it reaches " +
    "the limit of {cap} for the topic '{topic}'.",
  remembered:
    "You are asked again {every}. Your device drew all that it will ever send about each answer when you agreed, and " +
    "keeps it in this browser or app, whose storage shows it to anybody who can open it.",
  any: "What is sent is at most {factor} times likelier from your answer than from any other.",
  protected: "What is sent is at most {factor} times likelier from a protected answer than from any other.",
  grouped: "What is sent is at most {factor} times likelier from one answer of a group than from another of it.",
  near: "What is sent is at most {factor} times likelier from your answer than from the next one.",
  near_far:
    "What is sent is at most {factor} times likelier from your answer than from the next one, and at most {most} times " +
    "likelier than from one {count} steps away.",
  listed:
    "What is sent is at most {factor} times likelier from a list with a certain label than from the same list without " +
    "it, and the other way round.",
  listed_held:
    "What is sent is at most {factor} times likelier from a list with a certain label than from the same list without it.",
  relative:
    "If people answer as was known before, what is sent makes no answer more than {factor} times as likely as it was, " +
    "and none less likely than it was divided by {factor}. {any}",
  claimed: "No level holds for every report; what is promised is {promise}.",
  claimed_plain: "{level}-LDP",
  claimed_prior: "{level}-LIP over {count} labels",
  claimed_prior_held: "{level}-LIP on one side over {count} labels",
  no_pair: "No answer is protected from another.",
  some_pairs:
    "Where an answer is protected from another, what is sent is at most {factor} times likelier from the one than from " +
    "the other.",
  open_labels: "Of '{name}' only {kept}; that you gave {rest}, and so none that is protected, may show.",
  kept: { one: "{count} answer is protected", other: "{count} answers are protected" },
  rest: { one: "the other answer", other: "one of the other {count}" },
  open_group: "Of '{name}' it is not hidden in which of {count} groups of answers yours is.",
  open_prior: "The promise about '{name}' is relative to how people were known to answer before.",
  open_pairs: "Of '{name}' some pairs of answers can be told apart with certainty.",
  open_far:
    "Of '{name}' near answers are hidden among each other well, far ones less: the first and the last are protected " +
    "from each other only up to a factor of {factor}.",
  open_lists:
    "Of '{name}' each label is protected by itself; lists that differ in all {count} labels are protected only up to " +
    "a factor of {factor}.",
  open_absence: "Of '{name}' it may show that a label is not on your list.",
  changes:
    "Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came back.",
  changed_labels: "Of a list they can tell which labels changed.",
  taking_part: "That you took part, and when, is not hidden by the randomness.",
} as const;

/** The keys of the label's sentences. */
export type Sentences = keyof typeof SENTENCES;

/** What the label says in English. */
export const label: Sayings = { code, point, percent, sentences: SENTENCES };

const PAGE = {
  loading: "The survey is on its way.",
  unloaded: "The survey could not be loaded",
  unloaded_text: "Perhaps this device is offline. Nothing was stored or sent.",
  insecure: "Answering needs https",
  insecure_text:
    "This page came over plain http, and anybody between its host and you may have changed it. So nothing is asked " +
    "here, and nothing was stored or sent. Try the address with https:// in front, or tell whoever gave it to you.",
  retry: "Try again",
  why: "Who asks, and why",
  asker: "Asked by {owner}.",
  contact: "Questions to {contact}.",
  asked: "What is asked",
  label: "What is promised, and what is not",
  label_more: "More on how sure somebody can be",
  choose: "Before you choose",
  nothing_yet: "So far nothing has been stored or sent.",
  once_only: "This browser remembers what it sends. Answering again sends nothing new.",
  draws_now: "If you take part, your device draws now what it may ever send, and keeps it in this browser.",
  no_recall: "What has been sent cannot be taken back, because nobody knows which report is yours.",
  as_good: "You are free not to take part: if you choose “{decline}”, nothing is sent.",
  trust: "You trust whoever runs this page: its script is what mixes your answers with chance.",
  agree: "Take part",
  decline: "No, thanks",
  declined: "Nothing was stored or sent",
  declined_text: "You can close this page.",
  reconsider: "Choose again",
  questions: "Your answers",
  one: "Choose one.",
  some: "Choose up to {count}, or none.",
  any: "Choose as many as you like, or none.",
  text: "It may stay empty.",
  text_most: {
    one: "At most {count} character. It may stay empty.",
    other: "At most {count} characters. It may stay empty.",
  },
  skipping: "counts as an answer, and is protected as one",
  pick: "Choose",
  yes: "yes",
  no: "no",
  missing: "Choose one of these.",
  too_many: "Choose at most {count}.",
  too_long: { one: "Write at most {count} character.", other: "Write at most {count} characters." },
  strange: "Write letters, digits and signs alone.",
  number: "From {low} to {high}{unit}. Anything lower counts as {low}, anything higher as {high}.",
  no_number: "Write a number.",
  no_date: "Give a date.",
  attention: { one: "Please check {count} question.", other: "Please check {count} questions." },
  submit: "Randomize and send",
  leave: "Do not take part",
  stop: "Stop taking part",
  working: "One moment.",
  sent: "Received, thank you",
  sent_text: "One report left this browser, with your consent and only once.",
  waiting: "Drawn, but not sent yet",
  waiting_text: "It is kept in this browser, and is sent once this page can reach the collector.",
  waiting_door: "It is kept in this browser, and is sent once the survey takes answers again.",
  waiting_code: "It is kept in this browser, since its invitation is missing or spent.",
  refused: "Not counted",
  refused_text: "The collector refused the report ({reason}).",
  over: "This survey is over",
  over_text: "It takes no more answers.",
  unknown: "Perhaps counted",
  unknown_text: "It was sent, but the survey closed before a receipt came back.",
  withdrawn: "You no longer take part",
  withdrawn_text: "Nothing more is sent.",
  withdrawn_tried: "Nothing more is sent. What was sent before may have been counted.",
  before: "You have answered already.",
  next_day: "You can answer again tomorrow.",
  next_week: "You can answer again next week.",
  next_month: "You can answer again next month.",
  send: "Send now",
  rehearsal: "This is a rehearsal. Nothing is stored or sent.",
  rehearsed: "Here a receipt would stand",
  rehearsed_text: "Nothing was sent. A report was drawn as it would be for real.",
  details_rehearsed: "What could have been sent",
  details: "Exactly what was sent",
  period: "Period",
  random: "Random, to count it once",
  report: "Report",
  survey: "Survey",
  cap: "Your limit is reached",
  cap_text:
    "Another answer on '{topic}' would tell more about you than the limit of this device allows. So nothing is drawn.",
  storage: "This browser keeps nothing",
  storage_text:
    "An answer is drawn once, and the browser has to remember that. This one lets the page store nothing, perhaps " +
    "because its window is private.",
  untracked: "This browser asks not to be tracked",
  untracked_text: "So nothing is drawn.",
  failed: "Something went wrong",
  failed_text: "Please load the page again.",
} as const;

/** The keys of what a page says. */
export type Page = keyof typeof PAGE;

/** English, for labels and pages. */
export const english: Language = { code, direction: "ltr", point, percent, sentences: SENTENCES, page: PAGE };

/** German. */

import type { Language } from "./language.js";

/** Deutsch. */
export const german: Language = {
  code: "de",
  direction: "ltr",
  point: ",",
  percent: "{number}\u00a0%",
  sentences: {
    drawn:
      "Ihr Gerät gibt nur über einen von {count} Teilen dieser Umfrage Auskunft. Welcher das ist, lost es aus, noch " +
      "bevor es Ihre Antworten ansieht. Alles andere, was Sie antworten, verlässt das Gerät nie.",
    changed:
      "Ihr eigenes Gerät mischt Ihre Antworten mit Zufall, bevor irgendetwas gesendet wird: Was es sendet, kann zu Ihren " +
      "Antworten passen oder zu anderen.",
    differs: "Was geschützt ist und was nicht, ist von Frage zu Frage verschieden.",
    whole:
      "Was{during} gesendet wird, könnte auch von beliebigen anderen Antworten stammen: Es ist bei Ihren höchstens " +
      "{factor}-mal so wahrscheinlich wie bei denen irgendeines anderen Menschen.",
    belief:
      "Wer sich einer Ihrer Antworten zu {before} sicher war und dann sieht, was Sie{during} senden, ist sich ihrer " +
      "danach zu mindestens {least} und höchstens {most} sicher.",
    during_day: " an einem Tag",
    during_week: " in einer Woche",
    during_month: " in einem Monat",
    huge: "Ein so großer Faktor ist kein Schutz, auf den man sich verlassen kann.",
    about: "Zu „{name}“, wenn alle Ihre anderen Antworten gleich bleiben: {promise}",
    round:
      "Eine Runde für sich: Was gesendet wird, ist bei Ihren Antworten höchstens {factor}-mal so wahrscheinlich wie bei " +
      "irgendwelchen anderen.",
    round_belief:
      "Wer sich einer Ihrer Antworten zu {before} sicher war und dann sieht, was Sie in einer Runde senden, ist sich " +
      "ihrer danach zu mindestens {least} und höchstens {most} sicher.",
    unchanged:
      "Alle Runden zusammen, solange Ihre Antworten gleich bleiben: Was gesendet wird, ist bei Ihren Antworten höchstens " +
      "{factor}-mal so wahrscheinlich wie bei irgendwelchen anderen.",
    life:
      "Alles, was Ihr Gerät jemals sendet, ist bei den Antworten, die Sie über die Jahre geben, höchstens {factor}-mal so " +
      "wahrscheinlich wie bei beliebigen anderen, die sich, soweit das zu erkennen ist, zu denselben Zeiten ändern und " +
      "wiederkehren.",
    life_belief:
      "Wer weiß, wann sich Ihre Antworten ändern und wann frühere wiederkehren, sich einer davon zu {before} sicher war " +
      "und dann alles sieht, was Ihr Gerät jemals sendet, ist sich ihrer danach zu mindestens {least} und höchstens " +
      "{most} sicher.",
    bytes: {
      one: "Was über Ihre Antworten gesendet wird, ist {length} Byte lang.",
      other: "Was über Ihre Antworten gesendet wird, ist {length} Bytes lang.",
    },
    range: "{least} bis {most}",
    every_day: "jeden Tag",
    every_week: "jede Woche",
    every_month: "jeden Monat",
    fresh:
      "Sie werden {every} wieder gefragt, und was alle Ihre Antworten zusammen verraten, summiert sich: Ihr Gerät hört " +
      "auf, sobald es für das Thema „{topic}“ die Grenze von {cap} erreicht hat.",
    remembered:
      "Sie werden {every} wieder gefragt. Alles, was Ihr Gerät zu jeder möglichen Antwort jemals senden wird, hat es " +
      "ausgelost, als Sie zugestimmt haben. Es bewahrt das in diesem Browser oder dieser App auf; wer deren Speicher " +
      "öffnen kann, kann es dort sehen.",
    any: "Was gesendet wird, ist bei Ihrer Antwort höchstens {factor}-mal so wahrscheinlich wie bei jeder anderen.",
    protected:
      "Was gesendet wird, ist bei einer geschützten Antwort höchstens {factor}-mal so wahrscheinlich wie bei jeder anderen.",
    grouped:
      "Was gesendet wird, ist bei einer Antwort einer Gruppe höchstens {factor}-mal so wahrscheinlich wie bei einer " +
      "anderen derselben Gruppe.",
    near: "Was gesendet wird, ist bei Ihrer Antwort höchstens {factor}-mal so wahrscheinlich wie bei der nächsten.",
    near_far:
      "Was gesendet wird, ist bei Ihrer Antwort höchstens {factor}-mal so wahrscheinlich wie bei der nächsten, und " +
      "höchstens {most}-mal so wahrscheinlich wie bei einer, die {count} Schritte davon entfernt ist.",
    listed:
      "Was gesendet wird, ist bei einer Liste mit einem bestimmten Eintrag höchstens {factor}-mal so wahrscheinlich wie " +
      "bei derselben Liste ohne ihn, und umgekehrt.",
    listed_held:
      "Was gesendet wird, ist bei einer Liste mit einem bestimmten Eintrag höchstens {factor}-mal so wahrscheinlich wie " +
      "bei derselben Liste ohne ihn.",
    relative:
      "Wenn die Menschen so antworten, wie man es vorher wusste, wird durch das, was gesendet wird, keine Antwort mehr " +
      "als {factor}-mal so wahrscheinlich wie zuvor, und keine sinkt unter ihre vorherige Wahrscheinlichkeit geteilt " +
      "durch {factor}. {any}",
    claimed: "Keine Grenze gilt für alles, was gesendet werden kann; zugesagt ist {promise}.",
    claimed_plain: "{level}-LDP",
    claimed_prior: "{level}-LIP über {count} Antworten",
    claimed_prior_held: "einseitige {level}-LIP über {count} Antworten",
    no_pair: "Keine Antwort ist davor geschützt, von einer anderen unterschieden zu werden.",
    some_pairs:
      "Wo eine Antwort davor geschützt ist, von einer anderen unterschieden zu werden, ist das, was gesendet wird, bei " +
      "der einen höchstens {factor}-mal so wahrscheinlich wie bei der anderen.",
    open_labels:
      "Bei „{name}“ {kept}. Dass Sie {rest} gegeben haben und damit keine geschützte, kann zu erkennen sein.",
    kept: { one: "ist nur {count} Antwort geschützt", other: "sind nur {count} Antworten geschützt" },
    rest: { one: "die andere Antwort", other: "eine der anderen {count}" },
    open_group: {
      one: "Bei „{name}“ bleibt nicht verborgen, dass Ihre Antwort in der einzigen Gruppe ({count}) liegt.",
      other: "Bei „{name}“ bleibt nicht verborgen, in welcher von {count} Gruppen Ihre Antwort liegt.",
    },
    open_prior: "Die Zusage zu „{name}“ gilt im Verhältnis zu dem, was man vorher über die Antworten wusste.",
    open_pairs: "Bei „{name}“ lassen sich manche Antworten mit Sicherheit voneinander unterscheiden.",
    open_far:
      "Bei „{name}“ sind nahe Antworten gut untereinander verborgen, ferne weniger: Die erste und die letzte sind nur " +
      "bis zu einem Faktor von {factor} voreinander geschützt.",
    open_lists: {
      one: "Bei „{name}“ ist {count} Eintrag geschützt, bis zu einem Faktor von {factor}.",
      other:
        "Bei „{name}“ ist jeder Eintrag für sich geschützt; Listen, die sich in allen {count} Einträgen unterscheiden, " +
        "sind nur bis zu einem Faktor von {factor} geschützt.",
    },
    open_absence: "Bei „{name}“ kann zu erkennen sein, dass ein Eintrag nicht auf Ihrer Liste steht.",
    changes:
      "Wer alles aufhebt, was Ihr Gerät sendet, kann erkennen, wann sich Ihre Antwort geändert hat und wann eine frühere " +
      "wiedergekehrt ist.",
    changed_labels: "Bei einer Liste ist zu erkennen, welche Einträge sich geändert haben.",
    taking_part: "Dass Sie teilgenommen haben und wann, verbirgt der Zufall nicht.",
  },
  page: {
    loading: "Die Umfrage wird geladen.",
    unloaded: "Die Umfrage konnte nicht geladen werden",
    unloaded_text: "Vielleicht ist dieses Gerät offline. Nichts wurde gespeichert oder gesendet.",
    insecure: "Antworten geht nur mit https",
    insecure_text:
      "Diese Seite kam über einfaches http, und wer zwischen ihr und Ihnen steht, kann sie verändert haben. Deshalb wird " +
      "hier nichts gefragt, und nichts wurde gespeichert oder gesendet. Versuchen Sie die Adresse mit https:// davor, " +
      "oder sagen Sie es der Stelle, von der Sie sie haben.",
    retry: "Noch einmal versuchen",
    why: "Wer fragt und warum",
    asker: "Es fragt: {owner}.",
    contact: "Rückfragen an {contact}.",
    asked: "Was gefragt wird",
    label: "Was zugesagt ist und was nicht",
    label_more: "Mehr dazu, wie sicher jemand sein kann",
    choose: "Bevor Sie sich entscheiden",
    nothing_yet: "Bisher wurde nichts gespeichert oder gesendet.",
    once_only: "Dieser Browser merkt sich, was er sendet. Wer noch einmal antwortet, sendet nichts Neues.",
    draws_now:
      "Wenn Sie teilnehmen, lost Ihr Gerät jetzt alles aus, was es jemals senden wird, und bewahrt es in diesem Browser auf.",
    no_recall: "Was gesendet ist, lässt sich nicht zurückholen, denn niemand weiß, welche Meldung von Ihnen stammt.",
    as_good: "Sie müssen nicht teilnehmen: Wenn Sie „{decline}“ wählen, wird nichts gesendet.",
    trust: "Sie vertrauen dem, der diese Seite betreibt: Erst ihr Skript mischt Ihre Antworten mit Zufall.",
    agree: "Teilnehmen",
    decline: "Nein, danke",
    declined: "Nichts wurde gespeichert oder gesendet",
    declined_text: "Sie können diese Seite schließen.",
    reconsider: "Neu entscheiden",
    questions: "Ihre Antworten",
    one: "Wählen Sie eine Antwort.",
    some: "Wählen Sie bis zu {count} oder keine.",
    any: "Wählen Sie beliebig viele oder keine.",
    text: "Das Feld darf leer bleiben.",
    text_most: "Höchstens {count} Zeichen. Das Feld darf leer bleiben.",
    skipping: "zählt als Antwort und ist geschützt wie jede",
    pick: "Bitte wählen",
    yes: "ja",
    no: "nein",
    missing: "Bitte wählen Sie eine dieser Antworten.",
    too_many: "Bitte wählen Sie höchstens {count}.",
    too_long: "Bitte schreiben Sie höchstens {count} Zeichen.",
    strange: "Bitte schreiben Sie nur Buchstaben, Ziffern und Zeichen.",
    number: "Von {low} bis {high}{unit}. Niedrigeres zählt als {low}, Höheres als {high}.",
    no_number: "Bitte schreiben Sie eine Zahl.",
    no_date: "Bitte geben Sie ein Datum an.",
    attention: {
      one: "Bitte prüfen Sie {count} Frage.",
      other: "Bitte prüfen Sie {count} Fragen.",
    },
    submit: "Zufällig verändern und senden",
    leave: "Doch nicht teilnehmen",
    stop: "Nicht mehr teilnehmen",
    working: "Einen Augenblick.",
    sent: "Angekommen, vielen Dank",
    sent_text: "Eine Meldung hat diesen Browser verlassen, mit Ihrer Zustimmung und nur ein Mal.",
    waiting: "Ausgelost, aber noch nicht gesendet",
    waiting_text:
      "Die Meldung liegt in diesem Browser. Sie wird gesendet, sobald diese Seite die Sammelstelle erreicht.",
    waiting_door:
      "Die Meldung liegt in diesem Browser. Sie wird gesendet, sobald die Umfrage wieder Antworten annimmt.",
    waiting_code: "Die Meldung liegt in diesem Browser, weil ihre Einladung fehlt oder verbraucht ist.",
    refused: "Nicht gezählt",
    refused_text: "Die Sammelstelle hat die Meldung abgelehnt ({reason}).",
    over: "Diese Umfrage ist beendet",
    over_text: "Sie nimmt keine Antworten mehr an.",
    unknown: "Vielleicht gezählt",
    unknown_text: "Die Meldung wurde gesendet, aber die Umfrage endete, bevor eine Bestätigung kam.",
    withdrawn: "Sie nehmen nicht mehr teil",
    withdrawn_text: "Es wird nichts mehr gesendet.",
    withdrawn_tried: "Es wird nichts mehr gesendet. Was vorher gesendet wurde, kann gezählt worden sein.",
    before: "Sie haben schon geantwortet.",
    next_day: "Morgen können Sie wieder antworten.",
    next_week: "Nächste Woche können Sie wieder antworten.",
    next_month: "Nächsten Monat können Sie wieder antworten.",
    send: "Jetzt senden",
    rehearsal: "Dies ist eine Probe. Nichts wird gespeichert oder gesendet.",
    rehearsed: "Hier stünde eine Bestätigung",
    rehearsed_text: "Nichts wurde gesendet. Eine Meldung wurde so ausgelost, wie es im Ernstfall geschähe.",
    details_rehearsed: "Was hätte gesendet werden können",
    details: "Was genau gesendet wurde",
    period: "Zeitraum",
    random: "Zufällig, damit sie einmal zählt",
    report: "Meldung",
    survey: "Umfrage",
    cap: "Ihre Grenze ist erreicht",
    cap_text:
      "Noch eine Antwort zu „{topic}“ würde mehr über Sie verraten, als die Grenze dieses Geräts erlaubt. Deshalb wird " +
      "nichts ausgelost.",
    storage: "Dieser Browser merkt sich nichts",
    storage_text:
      "Eine Antwort wird nur ein Mal ausgelost, und das muss sich der Browser merken. Dieser lässt die Seite nichts " +
      "speichern, vielleicht weil das Fenster privat ist.",
    untracked: "Dieser Browser möchte nicht verfolgt werden",
    untracked_text: "Deshalb wird nichts ausgelost.",
    failed: "Etwas ist schiefgegangen",
    failed_text: "Bitte laden Sie die Seite neu.",
  },
};

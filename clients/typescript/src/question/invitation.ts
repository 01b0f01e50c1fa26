/** Whether an invitation is good, which is asked before anybody reads and answers in vain. */

/** What a collector says of a code. */
export type State = "unused" | "spent" | "unknown" | "missing";

/** The state of a code. Where nobody says, it counts as good: what is sent then waits, and says why. */
export async function stateOf(endpoint: string, survey: string, code: string | null): Promise<State> {
  if (code === null) return "missing";
  try {
    const reply = await fetch(`${endpoint}/v1/surveys/${survey}/invitation`, {
      headers: { Authorization: `Invitation ${code}` },
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    const { state } = await reply.json();
    return state === "spent" || state === "unknown" ? state : "unused";
  } catch {
    return "unused";
  }
}

/** How much has come of what is being loaded, so that whoever waits sees that it goes on. */

/** Say it in a part of the page, until the function that is returned is called. */
export function counting(host: Element): () => void {
  const loaded = () => performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const before = loaded().length;
  const told = host.querySelector<HTMLElement>("[data-came]");
  const look = () => {
    const bytes = loaded()
      .slice(before)
      .reduce((sum, each) => sum + each.encodedBodySize, 0);
    if (told && bytes) told.textContent = (told.dataset["came"] ?? "").replace("#", `${Math.ceil(bytes / 1000)}`);
  };
  const observer = new PerformanceObserver(look);
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}

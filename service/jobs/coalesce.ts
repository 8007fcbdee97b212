/**
 * Runs `work` once at a time for each key. Calls during a run wait for the next one and share it:
 * the present run may have read the database before they came.
 */
export function coalesce<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const current = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();

  function begin(key: string): Promise<T> {
    const run = work(key).finally(() => {
      if (current.get(key) === run) current.delete(key);
    });
    current.set(key, run);
    return run;
  }

  return (key) => {
    const active = current.get(key);
    if (!active) return begin(key);
    let following = next.get(key);
    if (!following) {
      const start = () => {
        next.delete(key);
        return begin(key);
      };
      following = active.then(start, start);
      next.set(key, following);
    }
    return following;
  };
}

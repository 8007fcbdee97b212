/** Rejects when the time is over, whether the work heeds its signal or not. */
export async function withinTime<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ending?: AbortSignal,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('the deadline has passed')), ms);
  const signal = ending ? AbortSignal.any([late.signal, ending]) : late.signal;
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  // The work's result after that interests nobody.
  over.catch(() => {});
  const begun = new Promise<T>((resolve) => resolve(work(signal)));
  try {
    return await Promise.race([begun, over]);
  } finally {
    clearTimeout(timer);
  }
}

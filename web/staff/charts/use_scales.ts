import { useEffect, useState } from 'react';

type Scales = typeof import('./scales.ts');

let loaded: Scales | undefined;

/** The scales of charts, which come after the page. Undefined: not yet; null: they do not come. */
export function useScales(): Scales | null | undefined {
  const [scales, set] = useState<Scales | null | undefined>(loaded);
  useEffect(() => {
    if (loaded !== undefined) return;
    import('./scales.ts').then(
      (found) => {
        loaded = found;
        set(found);
      },
      () => set(null),
    );
  }, []);
  return scales;
}

import { useEffect, useState } from 'react';

export type Scales = typeof import('./scales.ts').scalesOf;

let loaded: Scales | undefined;

/** The scales of charts, which come after the page. Undefined: not yet; null: they do not come. */
export function useScales(): Scales | null | undefined {
  const [scales, set] = useState<Scales | null | undefined>(() => loaded);
  useEffect(() => {
    if (loaded !== undefined) return;
    import('./scales.ts').then(
      ({ scalesOf }) => {
        loaded = scalesOf;
        set(() => scalesOf);
      },
      () => set(null),
    );
  }, []);
  return scales;
}

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from '../frame.tsx';
import { Problem } from '../problem.tsx';

interface LoadedProps<C> {
  /** Fixed: another one is loaded by another `key`. */
  readonly load: () => Promise<{ readonly default: C }>;
  readonly children: (component: C) => VNode;
}

/** Shows what lies in a file of its own, once that is here. */
export function Loaded<C>({ load, children }: LoadedProps<C>) {
  const [loaded, setLoaded] = useState<{ readonly default: C } | null>(null);
  const [isLost, setLost] = useState(false);
  const begin = () => {
    setLost(false);
    load().then(setLoaded, () => setLost(true));
  };
  useEffect(begin, []);
  if (isLost) return <Problem name="offlineStart" onRetry={begin} />;
  return loaded ? children(loaded.default) : <Waiting />;
}

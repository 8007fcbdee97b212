import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import type { ShopState } from '../demo/state.ts';
import type { Order } from '../server/orders.ts';
import { ShopError } from './api.ts';

/** The data that every column uses: the shop's state, and what the visitor has chosen. */
export interface Shop {
  readonly state: ShopState;
  /** The person who holds the phone. */
  readonly person: string;
  readonly hold: (ref: string) => void;
  /** The order on the till, by its number; null: the catalog. */
  readonly shown: number | null;
  readonly show: (order: number | null) => void;
}

export const ShopContext = createContext<Shop | null>(null);

export function useShop(): Shop {
  const shop = useContext(ShopContext);
  if (!shop) throw new Error('useShop() needs a ShopContext');
  return shop;
}

/**
 * The server's state, as it changes, while the page is seen: a browser opens six connections to a host at most, and
 * hidden tabs with a stream each would take them from the seventh. Null until the first one, stale while the server is down.
 */
export function useStream(): { state: ShopState | null; isLive: boolean } {
  const [state, setState] = useState<ShopState | null>(null);
  const [isLive, setLive] = useState(true);
  useEffect(() => {
    let source: EventSource | null = null;
    function close(): void {
      source?.close();
      source = null;
    }
    function look(): void {
      close();
      if (document.hidden) return;
      source = new EventSource('/shop/api/stream');
      source.onmessage = ({ data }) => {
        setState(JSON.parse(data) as ShopState);
        setLive(true);
      };
      source.onerror = () => setLive(false);
    }
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      close();
    };
  }, []);
  return { state, isLive };
}

export const dollars = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
    .format(cents / 100)
    .replace('-', '\u2212');

export const clockTime = (at: string | number): string =>
  new Intl.DateTimeFormat('en-US', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  }).format(new Date(at));

/** The Tenant's time, once a second. */
export function useNow(): number {
  const { state } = useShop();
  const [real, setReal] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setReal(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return real + state.clock_offset_ms;
}

/**
 * Runs one task at a time and keeps the error of the last; `run` resolves to whether it succeeded.
 */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ShopError | null>(null);
  const run = useCallback(async (task: () => Promise<unknown>) => {
    setBusy(true);
    setFault(null);
    try {
      await task();
      return true;
    } catch (error) {
      setFault(
        error instanceof ShopError
          ? error
          : new ShopError({ code: 'unknown', message: String(error) }),
      );
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, fault, run, forget: () => setFault(null) };
}

export const orderOf = ({ orders }: ShopState, number: number | null): Order | null =>
  orders.find((order) => order.number === number) ?? null;

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { people } from '../../people.ts';
import type {
  Account,
  Balance,
  Customer,
  DocumentAcceptance,
  LinkedAccount,
  SessionOutcome,
  Transaction,
} from '../../records.ts';
import { callShop, openFlow } from '../api.ts';
import { useShop, useTask } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';

/** The data that the app shows of its person. */
export interface Wallet {
  readonly customer: Customer;
  readonly account: Account | null;
  readonly balance?: Balance;
  readonly transactions?: readonly Transaction[];
  readonly bank: LinkedAccount | null;
  readonly last_link: LinkedAccount | null;
  readonly documents: readonly DocumentAcceptance[];
}

const settleMs = 350;

/** The wallet of the chosen person, read again after every event that the shop handled, and after the clock moved. */
export function useWallet() {
  const { state, person } = useShop();
  const [wallet, setWallet] = useState<Wallet | null>(null);
  const { fault, run } = useTask();
  const holder = useRef(person);
  holder.current = person;
  const received = state.deliveries.find(({ outcome }) => outcome === 'handled')?.number ?? 0;
  const load = useCallback(
    () =>
      run(async () => {
        const read = await callShop<Wallet>('wallet', { ref: person });
        // An answer about whoever held the phone before may come last.
        if (holder.current === person) setWallet(read);
      }),
    [person, run],
  );
  useEffect(() => {
    const timer = setTimeout(load, settleMs);
    return () => clearTimeout(timer);
  }, [load, received, state.clock_offset_ms]);
  const isOf = people.find(({ ref }) => ref === person);
  const isCurrent = wallet?.customer.external_ref === isOf?.ref;
  return { wallet: isCurrent ? wallet : null, fault, load };
}

interface Created {
  readonly id: string;
  readonly confirmation_session: { readonly token: string } | null;
}

/** Starts a money movement and opens the hosted page that confirms it. */
export function useMovement(load: () => void) {
  const { state, person } = useShop();
  const task = useTask();
  const [outcome, setOutcome] = useState<SessionOutcome | null>(null);
  const [isApart, setApart] = useState(false);
  const { locale } = useTexts();
  const show = (token: string) =>
    openFlow(state.base_url, token, locale, isApart ? 'popup' : 'modal');
  const move = (action: string, input: object) =>
    task.run(async () => {
      setOutcome(null);
      const made = await callShop<Created>(action, { ref: person, ...input });
      const ended = await show(made.confirmation_session?.token ?? '');
      setOutcome(ended.outcome);
      load();
    });
  /** Opens a flow that moves no money, or a confirmation that was left before. */
  const flow = (name: string, target: object | null = null) =>
    task.run(async () => {
      setOutcome(null);
      const { token } = await callShop<{ token: string }>('flow', {
        ref: person,
        flow: name,
        target,
      });
      setOutcome((await show(token)).outcome);
      load();
    });
  const forgetOutcome = () => setOutcome(null);
  return { ...task, outcome, move, flow, forgetOutcome, isApart, setApart };
}

export type Movement = ReturnType<typeof useMovement>;

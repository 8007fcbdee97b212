import type {
  Account,
  Balance,
  Transaction,
} from '@tenant-payments/contract/resources/accounts.ts';
import type { Customer } from '@tenant-payments/contract/resources/customers.ts';
import type { DocumentAcceptance } from '@tenant-payments/contract/resources/documents.ts';
import type { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ask, confirm, type Outcome } from './ask.ts';
import { useDoing, useShop } from './shop.ts';

/** What the app knows of its person. */
export interface Wallet {
  readonly customer: Customer;
  readonly account: Account | null;
  readonly balance?: Balance;
  readonly transactions?: readonly Transaction[];
  readonly bank: LinkedAccount | null;
  readonly last_link: LinkedAccount | null;
  readonly documents: readonly DocumentAcceptance[];
}

export const people = [
  { ref: 'sample-ana', name: 'Ana' },
  { ref: 'sample-ben', name: 'Ben' },
  { ref: 'sample-cleo', name: 'Cleo' },
] as const;

const settleMs = 350;

/** The wallet of whoever holds the phone, read again after every event that the shop handled. */
export function useWallet() {
  const { state, person } = useShop();
  const [wallet, setWallet] = useState<Wallet | null>(null);
  const { fault, run } = useDoing();
  const heard = state.deliveries.find(({ outcome }) => outcome === 'handled')?.number ?? 0;
  const load = useCallback(
    () => run(async () => setWallet(await ask<Wallet>('wallet', { ref: person }))),
    [person, run],
  );
  useEffect(() => {
    const timer = setTimeout(load, settleMs);
    return () => clearTimeout(timer);
  }, [load, heard]);
  const isOf = people.find(({ ref }) => ref === person);
  const isHers = wallet?.customer.external_ref === isOf?.ref;
  return { wallet: isHers ? wallet : null, fault, load };
}

interface Created {
  readonly id: string;
  readonly confirmation_session: { readonly token: string } | null;
}

/** Asks for a movement of money, and has it confirmed in the hosted page. */
export function useMovement(load: () => void) {
  const { state, person } = useShop();
  const doing = useDoing();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isApart, setApart] = useState(false);
  const show = (token: string) => confirm(state.base_url, token, isApart ? 'popup' : 'modal');
  const move = (verb: string, input: object) =>
    doing.run(async () => {
      setOutcome(null);
      const made = await ask<Created>(verb, { ref: person, ...input });
      const ended = await show(made.confirmation_session?.token ?? '');
      setOutcome(ended.outcome);
      load();
    });
  /** A flow that moves no money, or a confirmation that was left before. */
  const flow = (name: string, target: object | null = null) =>
    doing.run(async () => {
      setOutcome(null);
      const { token } = await ask<{ token: string }>('flow', { ref: person, flow: name, target });
      setOutcome((await show(token)).outcome);
      load();
    });
  const forgetOutcome = () => setOutcome(null);
  return { ...doing, outcome, move, flow, forgetOutcome, isApart, setApart };
}

export type Movement = ReturnType<typeof useMovement>;

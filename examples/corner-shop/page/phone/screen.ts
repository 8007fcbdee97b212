import type { Movement, Wallet } from './wallet.ts';

export type Screen = 'home' | 'pay' | 'add' | 'withdraw' | 'bank' | 'more' | 'detail' | 'report';

/** The props of every screen of the app. */
export interface ScreenProps {
  readonly wallet: Wallet;
  readonly movement: Movement;
  /** The movement that is shown, or the payment that a report is about. */
  readonly about: string;
  readonly go: (screen: Screen, about?: string) => void;
  readonly load: () => void;
}

import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import type { Failure } from '../../ui/failure.ts';
import { BankIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { FailureNotice } from '../../ui/notice.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Step } from '../../ui/step.tsx';
import { usePage } from '../use_page.ts';
import type { Bank } from './result.ts';

type Account = Bank['accounts'][number];

interface StepsProps {
  readonly banks: readonly Bank[];
  readonly tenant: string;
  readonly choose: (bank: string, accountId: string | null) => void;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
}

interface ItemProps {
  readonly title: string;
  readonly note: string;
  readonly onClick: () => void;
}

const Item = ({ title, note, onClick }: ItemProps) => (
  <li>
    <button type="button" class="bank" onClick={onClick}>
      <BankIcon />
      <span>
        <strong>{title}</strong>
        <small>{note}</small>
      </span>
    </button>
  </li>
);

/** A bank, one of its accounts where it has several, and a last look. */
export function BankSteps({ banks, tenant, choose, isBusy, failure }: StepsProps) {
  const { texts } = usePage();
  const words = texts.bank;
  const [bank, setBank] = useState<Bank | null>(null);
  const [account, setAccount] = useState<Account | null>(null);
  const named = ({ account_type, account_mask }: Account) =>
    words.account(words.accountTypes[account_type], account_mask);
  const [only] = bank?.accounts.length === 1 ? bank.accounts : [];
  const chosen = account ?? only ?? null;
  if (!bank)
    return (
      <Step name="banks" title={words.title}>
        <p class="lead">{words.text}</p>
        <ul class="cards">
          {banks.map((each) => (
            <Item
              key={each.bank}
              title={each.name}
              note={`${each.accounts.map(named).join(', ')}. ${words.outcomes[each.outcome]}.`}
              onClick={() => setBank(each)}
            />
          ))}
        </ul>
      </Step>
    );
  if (!chosen)
    return (
      <Step name="accounts" title={words.accountTitle} onBack={() => setBank(null)}>
        <ul class="cards">
          {bank.accounts.map((each) => (
            <Item
              key={each.id}
              title={named(each)}
              note={bank.name}
              onClick={() => setAccount(each)}
            />
          ))}
        </ul>
      </Step>
    );
  const back = () => (account ? setAccount(null) : setBank(null));
  return (
    <Step name="share" title={words.shareTitle} onBack={back}>
      <Rows rows={[{ name: bank.name, value: named(chosen) }]} />
      <p class="lead">{words.share(isolated(tenant))}</p>
      <FailureNotice failure={failure} />
      <Actions>
        <Button isBusy={isBusy} onClick={() => choose(bank.bank, chosen.id)}>
          {words.yes}
        </Button>
      </Actions>
    </Step>
  );
}

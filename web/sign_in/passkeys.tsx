import type { OwnPasskey } from '@tenant-payments/backoffice/contract/people/my.ts';
import { useRef, useState } from 'preact/hooks';
import { Actions, Button } from '../ui/button.tsx';
import { PasskeyName } from './passkey_name.tsx';
import { words } from './texts.ts';
import { timeOf } from './times.ts';
import { Trouble } from './trouble.tsx';
import { useWork } from './use_work.ts';

interface PasskeysProps {
  readonly passkeys: readonly OwnPasskey[];
  readonly onChange: () => Promise<void>;
}

/** The passkeys: each can be renamed, another added, and all but the last removed. */
export function Passkeys({ passkeys, onChange }: PasskeysProps) {
  const { account } = words;
  const work = useWork();
  const [done, setDone] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const change = (words: string, act: () => Promise<boolean>) =>
    work.run(async () => {
      setDone('');
      if (!(await act())) return;
      setDone(words);
      await onChange();
    });

  async function add(): Promise<boolean> {
    const credential = await work.make(await work.asked('beginMyPasskey', {}));
    if (!credential) return false;
    const name = account.newName(passkeys.length + 1);
    return (await work.asked('addMyPasskey', { credential, name })) !== null;
  }

  const rename = (id: string, name: string) =>
    change(account.renamed, async () => {
      if ((await work.ask('nameMyPasskey', { id, name })) === null) return false;
      setRenaming(null);
      heading.current?.focus();
      return true;
    });

  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys" tabIndex={-1} ref={heading}>
        {account.passkeys}
      </h2>
      {passkeys.length === 0 && <p>{account.noPasskeys}</p>}
      <ul class="entries">
        {passkeys.map(({ id, name, created_at, last_used_at }) => (
          <li key={id}>
            <div>
              <p class="entry-name">{name}</p>
              <p class="hint">
                {last_used_at === null
                  ? account.added(timeOf(created_at))
                  : account.used(timeOf(last_used_at))}
              </p>
            </div>
            {renaming !== id && (
              <button
                type="button"
                class="link"
                aria-label={account.renameOf(name)}
                onClick={() => setRenaming(id)}
              >
                {account.rename}
              </button>
            )}
            {passkeys.length > 1 && (
              <button
                type="button"
                class="link"
                aria-label={account.removeOf(name)}
                onClick={() =>
                  void change(account.removed, async () =>
                    Boolean(await work.asked('removeMyPasskey', { id })),
                  )
                }
              >
                {account.remove}
              </button>
            )}
            {renaming === id && (
              <PasskeyName
                name={name}
                isBusy={work.isBusy}
                onName={(given) => void rename(id, given)}
                onCancel={() => setRenaming(null)}
              />
            )}
          </li>
        ))}
      </ul>
      <Trouble work={work} />
      <p role="status">{done}</p>
      <Actions>
        <Button
          look="secondary"
          isBusy={work.isBusy}
          onClick={() => void change(account.isAdded, add)}
        >
          {account.add}
        </Button>
      </Actions>
    </section>
  );
}

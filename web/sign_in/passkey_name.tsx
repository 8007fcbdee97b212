import { useLayoutEffect } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field, fieldId } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { useForm } from '../ui/use_form.ts';
import { words } from './texts.ts';

const longestName = 60;

interface PasskeyNameProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

/** Names a passkey anew. */
export function PasskeyName({ name, isBusy, onName, onCancel }: PasskeyNameProps) {
  const { account } = words;
  const form = useForm({ passkey_name: name }, ({ passkey_name: given }) => ({
    passkey_name: given.trim() === '' ? account.needPasskeyName : undefined,
  }));
  useLayoutEffect(() => document.getElementById(fieldId('passkey_name'))?.focus(), []);
  return (
    <Form
      form={form}
      onValid={({ passkey_name: given }) => onName(given.trim())}
      label={account.saveName}
      isBusy={isBusy}
      more={
        <Button look="quiet" onClick={onCancel}>
          {account.keepName}
        </Button>
      }
    >
      <Field
        {...form.field('passkey_name')}
        label={account.passkeyName}
        hint={account.passkeyNameHint}
        maxLength={longestName}
      />
    </Form>
  );
}

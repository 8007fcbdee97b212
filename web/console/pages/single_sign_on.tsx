import { Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { IdentityProvider } from '@tenant-payments/backoffice/contract/people/single_sign_on.ts';
import { useState } from 'react';
import { call, type InputOf } from '../../staff/api/call.ts';
import { useRead } from '../../staff/api/queries.ts';
import { holds, useSession } from '../../staff/api/session.tsx';
import { useProven } from '../../staff/api/step_up.tsx';
import { Dialog } from '../../staff/parts/dialog.tsx';
import { Facts } from '../../staff/parts/facts.tsx';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { When } from '../../staff/parts/when.tsx';
import { NotDone, type PlatformAct } from '../approvals/second_person.tsx';

const read = 'GET /portal/api/single-sign-on';
type Provider = InputOf<'PUT /portal/api/single-sign-on'>;

/** The identity provider of the platform, which two admins set and remove (rules/approvals#21). */
export function SingleSignOn() {
  const isAdmin = holds(useSession(), ['admin']);
  return (
    <>
      <PageTitle
        title="Single sign-on"
        text="The identity provider by which the staff of the platform sign in."
      />
      {isAdmin ? <Read /> : <Text>Only admins of the platform see its identity provider.</Text>}
    </>
  );
}

function Read() {
  const { data, error, refetch } = useRead(read, {});
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} role="status" aria-label="Loading" />;
  return (
    <Stack gap="xl" maw={760}>
      <Section title="Now">
        <Facts
          rows={[
            ['Provider', data.issuer ?? 'Not set up'],
            ...(data.issuer === null
              ? []
              : [
                  ['Client id', data.client_id ?? ''] as const,
                  ['Required', data.required ? 'Yes' : 'No'] as const,
                  ['Trusts addresses', data.trust_email ? 'Yes' : 'No'] as const,
                  ['People', String(data.identities)] as const,
                  ['Changed', <When key="changed" at={data.updated_at} />] as const,
                ]),
            ['Sign-in address', data.sign_in_url],
            ['Redirect URI', data.redirect_uri],
          ]}
        />
        {data.issuer !== null && <Remove issuer={data.issuer} />}
      </Section>
      <Section
        title={data.issuer === null ? 'Set a provider' : 'Change the provider'}
        text="Register this service at the provider first, with the redirect URI above."
      >
        <Change key={data.updated_at} provider={data} />
      </Section>
    </Stack>
  );
}

/** Runs an act on the provider, and reads it anew. */
function useAct<Input>(work: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient();
  const proven = useProven();
  return useMutation({
    mutationFn: (input: Input) => proven(() => work(input)),
    onSuccess: () => queries.invalidateQueries({ queryKey: [read] }),
  });
}

const act = { resource: 'single-sign-on', id: 'platform' } as const;
const setting = (provider: Provider | undefined): PlatformAct | undefined =>
  provider && { ...act, move: 'set', provider };

interface ChoiceProps {
  readonly label: string;
  readonly text: string;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

const Choice = ({ label, text, isChosen, onChoose }: ChoiceProps) => (
  <Checkbox
    label={label}
    description={text}
    checked={isChosen}
    onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
  />
);

interface Draft {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  readonly required: boolean;
  readonly trusts: boolean;
}

interface FieldsProps {
  readonly draft: Draft;
  /** The same client as before, whose secret is kept. */
  readonly isSame: boolean;
  readonly onChange: (changed: Partial<Draft>) => void;
}

/** The client that this service is at the provider. */
const ClientFields = ({ draft, isSame, onChange }: FieldsProps) => (
  <>
    <TextInput
      label="Issuer"
      description="As the discovery document of the provider has it"
      type="url"
      required
      maxLength={500}
      value={draft.issuer}
      onChange={({ currentTarget }) => onChange({ issuer: currentTarget.value })}
    />
    <TextInput
      label="Client id"
      required
      maxLength={255}
      value={draft.clientId}
      onChange={({ currentTarget }) => onChange({ clientId: currentTarget.value })}
    />
    <TextInput
      label="Client secret"
      description={isSame ? 'Empty: as before' : 'It is never shown again'}
      type="password"
      autoComplete="off"
      required={!isSame}
      value={draft.secret}
      onChange={({ currentTarget }) => onChange({ secret: currentTarget.value })}
    />
  </>
);

const Choices = ({ draft, onChange }: Omit<FieldsProps, 'isSame'>) => (
  <>
    <Choice
      label="Required"
      text="Staff act only after this sign-in. It is taken once somebody has signed in by it."
      isChosen={draft.required}
      onChoose={(required) => onChange({ required })}
    />
    <Choice
      label="Its addresses are our own"
      text="An address counts also where the provider does not say that it is verified."
      isChosen={draft.trusts}
      onChoose={(trusts) => onChange({ trusts })}
    />
  </>
);

const draftOf = ({ issuer, client_id, required, trust_email }: IdentityProvider): Draft => ({
  issuer: issuer ?? '',
  clientId: client_id ?? '',
  secret: '',
  required,
  trusts: trust_email,
});

const givenIn = ({ issuer, clientId, secret, required, trusts }: Draft): Provider => ({
  issuer: issuer.trim(),
  client_id: clientId.trim(),
  ...(secret !== '' && { client_secret: secret }),
  required,
  trust_email: trusts,
});

function Change({ provider }: { readonly provider: IdentityProvider }) {
  const [draft, setDraft] = useState(draftOf(provider));
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const isSame = draft.issuer === provider.issuer && draft.clientId === provider.client_id;
  const save = useAct((given: Provider) => call('PUT /portal/api/single-sign-on', given));
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(givenIn(draft));
        }}
      >
        <Stack gap="sm">
          <ClientFields draft={draft} isSame={isSame} onChange={change} />
          <Choices draft={draft} onChange={change} />
          <Group>
            <Button type="submit" loading={save.isPending}>
              Save the provider
            </Button>
          </Group>
        </Stack>
      </form>
      {save.error && <NotDone error={save.error} act={setting(save.variables)} />}
      {save.isSuccess && (
        <Text size="sm" role="status">
          Saved.
        </Text>
      )}
    </>
  );
}

function Remove({ issuer }: { readonly issuer: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useAct(() => call('DELETE /portal/api/single-sign-on', {}));
  return (
    <>
      <Group>
        <Button variant="outline" color="red" onClick={open}>
          Remove the provider
        </Button>
      </Group>
      <Dialog title="Remove the identity provider" isOpen={isOpen} onClose={close}>
        <Stack>
          <Text size="sm" className="breaks">
            {`Nobody signs in by ${issuer} any more, and the sessions that it opened end.`}
          </Text>
          {remove.error && <NotDone error={remove.error} act={{ ...act, move: 'remove' }} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSuccess: close })}
            >
              Remove
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../staff/parts/section.tsx';
import { SaveBar } from '../../../staff/settings/save_bar.tsx';
import {
  faultOf,
  type PartProps,
  type Settings,
  useSave,
} from '../../../staff/settings/use_save.ts';

const lists = [
  [
    'return_urls',
    'Return addresses',
    'Where a hosted page may send your customer back to: the whole address, exactly.',
    'https://shop.example/done',
  ],
  [
    'frame_origins',
    'Frame origins',
    'The sites that may show a hosted page in a frame.',
    'https://shop.example',
  ],
  [
    'link_redirect_uris',
    'Bank link redirect addresses',
    'Where a bank may send your customer back to while an account is linked.',
    'https://shop.example/bank',
  ],
] as const;

type ListName = (typeof lists)[number][0];

/** The addresses that hosted pages and bank links trust. */
export const Addresses = ({ settings }: PartProps) => (
  <>
    {lists.map(([name, title, text, example]) => (
      <AddressList
        key={name}
        name={name}
        title={title}
        text={text}
        example={example}
        settings={settings}
      />
    ))}
  </>
);

interface ListProps {
  readonly name: ListName;
  readonly title: string;
  readonly text: string;
  readonly example: string;
  readonly settings: Settings;
}

function AddressList({ name, title, text, example, settings }: ListProps) {
  const saved = settings[name];
  const [typed, setTyped] = useState<readonly string[] | null>(null);
  const shown = typed ?? saved;
  const { save, mayChange } = useSave();
  const fault = faultOf(save.error);
  const change = (next: readonly string[]) => {
    save.reset();
    setTyped(next);
  };
  const isChanged = typed !== null && JSON.stringify(typed) !== JSON.stringify(saved);
  const store = () => {
    const kept = shown.map((address) => address.trim()).filter((address) => address !== '');
    setTyped(kept);
    save.mutate({ [name]: kept }, { onSuccess: () => setTyped(null) });
  };
  return (
    <Section title={title} text={text}>
      <Stack gap="xs" maw={640}>
        {shown.length === 0 && (
          <Text size="sm" c="dimmed">
            No addresses yet.
          </Text>
        )}
        {shown.map((address, at) => (
          <Group key={String(at)} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              className="grows"
              aria-label={`${title} ${at + 1}`}
              placeholder={example}
              disabled={!mayChange}
              value={address}
              error={fault?.index === at ? fault.text : undefined}
              onChange={({ currentTarget: { value } }) =>
                change(shown.map((one, index) => (index === at ? value : one)))
              }
            />
            <ActionIcon
              variant="default"
              size="input-sm"
              w="auto"
              px="sm"
              disabled={!mayChange}
              aria-label={`Remove ${address || 'this address'}`}
              onClick={() => change(shown.filter((_, index) => index !== at))}
            >
              <Text size="sm">Remove</Text>
            </ActionIcon>
          </Group>
        ))}
        {fault && fault.index === null && (
          <Text size="sm" c="red" role="alert">
            {fault.text}
          </Text>
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          disabled={!mayChange}
          aria-label={`Add to ${title.toLowerCase()}`}
          onClick={() => change([...shown, ''])}
        >
          Add an address
        </Button>
      </Stack>
      <SaveBar
        label={title.toLowerCase()}
        save={save}
        settings={settings}
        changes={{ [name]: shown }}
        isChanged={isChanged}
        mayChange={mayChange}
        onSave={store}
        onUndo={() => change(saved)}
      />
    </Section>
  );
}

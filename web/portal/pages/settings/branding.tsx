import { Alert, ColorSwatch, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { contrast, leastContrast } from '@tenant-payments/contract/core/contrast.ts';
import { useState } from 'react';
import { Section } from '../../../staff/parts/section.tsx';
import { SaveBar } from '../../../staff/settings/save_bar.tsx';
import {
  faultOf,
  type PartProps,
  type Settings,
  useSave,
} from '../../../staff/settings/use_save.ts';
import { darkSurface, darkTint } from '../../../ui/tint.ts';
import { Logo } from './logo.tsx';
import { Preview } from './preview.tsx';

type Brand = Settings['branding'];

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);
/** Cut, not rounded: 4.499 is below 4.5. */
const ratio = (one: string, other: string): string =>
  `${(Math.floor(contrast(one, other) * 100) / 100).toFixed(2)} : 1`;

/** How the hosted pages look, seen while it is typed. */
export function Branding({ settings }: PartProps) {
  const { branding: saved } = settings;
  const { save, mayChange } = useSave();
  const [typed, setTyped] = useState<Brand | null>(null);
  const brand = typed ?? saved;
  const fault = faultOf(save.error);
  const at = (field: keyof Brand) =>
    fault?.param === `branding.${field}` ? fault.text : undefined;
  const set = (part: Partial<Brand>) => {
    save.reset();
    setTyped({ ...brand, ...part });
  };
  return (
    <Section
      title="Branding"
      text="Your name, logo and color on the pages where your customers confirm payments."
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <TextInput
            label="Name"
            maxLength={100}
            disabled={!mayChange}
            value={brand.name}
            error={at('name')}
            onChange={({ currentTarget: { value } }) => set({ name: value })}
          />
          <Logo
            address={brand.logo_url}
            mayChange={mayChange}
            onAddress={(logo_url) => set({ logo_url })}
          />
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              className="grows"
              label="Color"
              description="Of buttons and links, as #rrggbb"
              disabled={!mayChange}
              value={brand.primary_color}
              error={at('primary_color')}
              onChange={({ currentTarget: { value } }) => set({ primary_color: value.trim() })}
            />
            <TextInput
              type="color"
              w={64}
              aria-label="Pick the color"
              disabled={!mayChange}
              value={isColor(brand.primary_color) ? brand.primary_color : '#000000'}
              onChange={({ currentTarget: { value } }) => set({ primary_color: value })}
            />
          </Group>
          <Contrast color={brand.primary_color} />
          <SaveBar
            label="branding"
            save={save}
            settings={settings}
            changes={{ branding: brand }}
            isChanged={JSON.stringify(brand) !== JSON.stringify(saved)}
            mayChange={mayChange}
            onSave={() => save.mutate({ branding: brand }, { onSuccess: () => setTyped(null) })}
            onUndo={() => set(saved)}
          />
        </Stack>
        <Preview brand={brand} />
      </SimpleGrid>
    </Section>
  );
}

/** The rule by which a color is taken or refused, with what was measured. */
function Contrast({ color }: { readonly color: string }) {
  if (!isColor(color))
    return (
      <Alert color="yellow" role="status">
        A color is # and six digits from 0 to 9 and a to f.
      </Alert>
    );
  const isReadable = contrast(color, '#ffffff') >= leastContrast;
  const tint = darkTint(color);
  return (
    <Alert
      color={isReadable ? 'green' : 'red'}
      role="status"
      title={isReadable ? 'Readable' : 'Too light to be read'}
    >
      <Stack gap={4}>
        <Text size="sm">
          {`On white it has a contrast of ${ratio(color, '#ffffff')}. Text needs ${leastContrast} : 1 (WCAG 2.2, AA)${isReadable ? '.' : ', so it will not be saved.'}`}
        </Text>
        {isReadable && (
          <Group gap={6}>
            <ColorSwatch color={tint} size={14} withShadow={false} />
            <Text size="sm">
              {`In the dark scheme the pages use ${tint}, with ${ratio(tint, darkSurface)}.`}
            </Text>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { logoPathOf } from '@tenant-payments/contract/core/logos.ts';
import { useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../staff/settings/use_save.ts';

const addressOf = (fragment: string): string => `/hosted/preview#${fragment}`;

/** The real hosted page with sample data. It runs without an origin and calls nothing. */
export function Preview({ brand }: { readonly brand: Settings['branding'] }) {
  const [scheme, setScheme] = useState('light');
  const [locale, setLocale] = useState('en');
  const frame = useRef<HTMLIFrameElement>(null);
  const wanted = new URLSearchParams({
    name: brand.name,
    logo: logoPathOf(brand.logo_url) ?? '',
    color: brand.primary_color,
    locale,
    scheme,
  }).toString();
  const [fragment] = useDebouncedValue(wanted, 150);
  const [first] = useState(() => addressOf(wanted));
  useEffect(() => {
    // In place of the entry before, so that the way back leads out of this page.
    frame.current?.contentWindow?.location.replace(addressOf(fragment));
  }, [fragment]);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={600} size="sm">
          Preview
        </Text>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Scheme of the preview"
            data={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            value={scheme}
            onChange={setScheme}
          />
          <SegmentedControl
            size="xs"
            aria-label="Language of the preview"
            data={[
              { value: 'en', label: 'English' },
              { value: 'es', label: 'Español' },
            ]}
            value={locale}
            onChange={setLocale}
          />
        </Group>
      </Group>
      <iframe
        ref={frame}
        className="preview"
        title="Preview of a hosted page"
        sandbox="allow-scripts"
        inert
        src={first}
      />
    </Stack>
  );
}

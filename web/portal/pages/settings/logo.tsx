import { Button, Group, Input, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { logoPathOf } from '@tenant-payments/contract/core/logos.ts';
import { useRef } from 'react';
import { useCall } from '../../../staff/api/queries.ts';
import { Trouble } from '../../../staff/parts/trouble.tsx';
import { NoPicture, pngOf } from './picture.ts';

interface LogoProps {
  /** `branding.logo_url`. */
  readonly address: string | null;
  readonly mayChange: boolean;
  readonly onAddress: (address: string | null) => void;
}

/** The logo as the pages show it, or the reason why they show none. */
function About({ address }: Pick<LogoProps, 'address'>) {
  const path = logoPathOf(address);
  if (path) return <img className="logo-shown" src={path} alt="The logo" />;
  const none = address === null ? 'None' : 'Another site’s logo, which the pages do not show';
  return <Text size="sm">{none}</Text>;
}

/** Uploads a logo, which is shown once the branding is saved. */
export function Logo({ address, mayChange, onAddress }: LogoProps) {
  const call = useCall();
  const chooser = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: async (file: File) => call('POST /portal/api/logos', { png: await pngOf(file) }),
    onSuccess: ({ logo_url }) => onAddress(logo_url),
  });
  const { error } = upload;
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="PNG, JPEG, WebP or SVG. It is made at most 512 pixels wide and high, without metadata"
      error={error instanceof NoPicture ? 'This file is no picture, or too large a one.' : null}
    >
      <Group mt={6} gap="sm">
        <About address={address} />
        <input
          ref={chooser}
          type="file"
          aria-label="Logo file"
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          className="unseen"
          tabIndex={-1}
          disabled={!mayChange}
          onChange={({ currentTarget: input }) => {
            const [file] = input.files ?? [];
            if (file) upload.mutate(file);
            input.value = '';
          }}
        />
        <Button
          size="compact-sm"
          variant="default"
          disabled={!mayChange}
          loading={upload.isPending}
          onClick={() => chooser.current?.click()}
        >
          {address === null ? 'Upload a logo' : 'Replace the logo'}
        </Button>
        {address !== null && (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={!mayChange}
            onClick={() => onAddress(null)}
          >
            Remove the logo
          </Button>
        )}
      </Group>
      {error && !(error instanceof NoPicture) && <Trouble error={error} />}
    </Input.Wrapper>
  );
}

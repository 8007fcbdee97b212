import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

interface FilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter that is asked for when the typing pauses. */
export function FilterText({ value, onChange, ...rest }: FilterProps) {
  const [typed, setTyped] = useState(value);
  const tell = useDebouncedCallback(onChange, 300);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      {...rest}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value.trim());
      }}
    />
  );
}

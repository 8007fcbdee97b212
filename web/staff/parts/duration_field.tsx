import { TextInput, type TextInputProps } from '@mantine/core';
import { lengthWords, secondsOf } from '@tenant-payments/contract/core/fields/lengths.ts';
import { useState } from 'react';

interface DurationFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** The length in units of `unit` seconds. */
  readonly value: number;
  /** Seconds of the unit in which the setting is kept; an hour takes no minutes. */
  readonly unit: number;
  readonly onChange: (value: number) => void;
}

/** A length of time, taken in words: `15 minutes`, `3 days`. */
export function DurationField({ value, unit, onChange, error, ...rest }: DurationFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string): number | null => {
    const seconds = secondsOf(text);
    return seconds === null || seconds % unit !== 0 ? null : seconds / unit;
  };
  const isWrong = typed !== null && read(typed) === null;
  const wrong = `Say a length of time, such as ${lengthWords(value * unit)}.`;
  return (
    <TextInput
      {...rest}
      value={typed ?? lengthWords(value * unit)}
      error={isWrong ? wrong : error}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        const taken = read(text);
        if (taken !== null) onChange(taken);
      }}
      onBlur={() => {
        if (!isWrong) setTyped(null);
      }}
    />
  );
}

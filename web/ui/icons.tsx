import type { ComponentChildren } from 'preact';

const icon = (children: ComponentChildren, className = 'icon') => (
  <svg class={className} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    {children}
  </svg>
);

export const CloseIcon = () => icon(<path d="M6 6l12 12M18 6L6 18" />);
export const BackIcon = () => icon(<path d="M15 5l-7 7 7 7" />);
export const CheckIcon = () => icon(<path d="M5 12.5l4.5 4.5L19 7.5" />);
export const ClockIcon = () =>
  icon(
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </>,
  );
/** Ended without result: neither done nor at fault. */
export const StopIcon = () =>
  icon(
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8 12h8" />
    </>,
  );
export const WarningIcon = () =>
  icon(
    <>
      <path d="M12 4l9 16H3z" />
      <path d="M12 10v4.5M12 17.2v.1" />
    </>,
  );
export const LockIcon = () =>
  icon(
    <>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d="M8 10.5V8a4 4 0 018 0v2.5" />
    </>,
  );
export const OfflineIcon = () =>
  icon(
    <>
      <path d="M4 9.5a12 12 0 0116 0M7 13a7.5 7.5 0 0110 0M10 16.5a3 3 0 014 0" />
      <path d="M4 4l16 16" />
    </>,
  );
export const PasskeyIcon = () =>
  icon(
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M3 20c0-3.5 2.5-6 6-6 1.2 0 2.3.3 3.2.8M17 12.5a2.5 2.5 0 100-.1M17 15v5.5l1.8-1.6L17 17.5" />
    </>,
  );
export const BankIcon = () =>
  icon(<path d="M4 9.5L12 5l8 4.5M5 9.5h14M7 12v5M12 12v5M17 12v5M4.5 19.5h15" />);

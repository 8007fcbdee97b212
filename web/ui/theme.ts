import { darkTint } from './tint.ts';

/** The page carries the Tenant's color; the dark scheme uses a lighter tint of it. */
export function paintBrand(): void {
  const { documentElement } = document;
  const brand = getComputedStyle(documentElement).getPropertyValue('--brand').trim();
  if (/^#[0-9a-f]{6}$/i.test(brand))
    documentElement.style.setProperty('--brand-tint', darkTint(brand));
}

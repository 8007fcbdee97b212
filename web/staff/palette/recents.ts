const most = 6;

/** One list for each application and Tenant: addresses alone, which name nobody. */
const keyOf = (place: string): string => `recents ${place}`;

export function recentsOf(place: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** The newest first, each once. A browser that keeps nothing has no recents. */
export function remember(place: string, path: string): void {
  try {
    const others = recentsOf(place).filter((one) => one !== path);
    localStorage.setItem(keyOf(place), JSON.stringify([path, ...others].slice(0, most + 1)));
  } catch {
    // A browser may keep nothing.
  }
}

/** The order of names and numbers in code, equal to the database's: "Arizona" before "AT&T", "Store 2" before "Store 10". */
const { compare } = new Intl.Collator('en-u-kn-true')

/** Compares two texts for sorting. */
export function naturalOrder(one: string, other: string): number {
  return compare(one, other) || (one < other ? -1 : Number(one > other))
}

/**
 * Rules over several values of one record, as data. The form in the console and the server check one record with the same function; the server
 * also turns them into SQL to check the rows of a file (server/kernel/lists/row-rules.ts).
 */
export interface ValueRule {
  /** The field at which a refusal is shown. */
  readonly field: string
  readonly message: string
  /** The field whose day must not be after the day of `field`. If either day is empty, the rule holds. */
  readonly notBefore: string
}

/** Returns the message for each field whose rule these values break. */
export function brokenRules(rules: readonly ValueRule[], values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(rules.flatMap((rule) => (isBroken(rule, values) ? [[rule.field, rule.message]] : [])))
}

function isBroken({ field, notBefore }: ValueRule, values: Readonly<Record<string, unknown>>): boolean {
  const [day, first] = [values[field], values[notBefore]]
  // Days are YYYY-MM-DD, and a form has an empty text if none is given.
  return typeof day === 'string' && typeof first === 'string' && day !== '' && day < first
}

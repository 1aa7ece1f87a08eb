/**
 * Rules over several values of one record, as data. The form in the console and the server judge one record by them with the same function;
 * the server also makes SQL of them, to judge the rows of a file (kernel/lists/row-rules.ts there).
 */
export interface ValueRule {
  /** The field at which a refusal is shown. */
  readonly field: string
  readonly message: string
  /** The field whose day must not lie after the day of `field`. Where either day is empty, the rule holds. */
  readonly notBefore: string
}

/** The message at each field whose rule these values break. */
export function brokenRules(rules: readonly ValueRule[], values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(rules.flatMap((rule) => (isBroken(rule, values) ? [[rule.field, rule.message]] : [])))
}

function isBroken({ field, notBefore }: ValueRule, values: Readonly<Record<string, unknown>>): boolean {
  const [day, first] = [values[field], values[notBefore]]
  // Days are written YYYY-MM-DD, and a form holds an empty text where none is given.
  return typeof day === 'string' && typeof first === 'string' && day !== '' && day < first
}

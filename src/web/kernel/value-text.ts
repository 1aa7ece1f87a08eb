/** A wire value as plain text: nothing for null and undefined, JSON for a list or an object, which no field should hold. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}

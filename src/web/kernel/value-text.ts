/** Returns a wire value as plain text: '' for null and undefined, JSON for a list or an object, which no field should contain. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return JSON.stringify(value)
}

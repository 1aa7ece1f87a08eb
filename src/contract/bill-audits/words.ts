/** How numbers read inside the messages of findings. */

/** At most three digits that matter: 312, 18.4, 0.0712. */
export function rate(value: number): string {
  const size = Math.abs(value)
  if (size >= 100 || value === 0) return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

/** A float as dollars; money itself is formatted from its wire text. */
export function dollars(value: number): string {
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}

/** With its sign: '+72 %', '−40 %'. */
export function signedPercent(percent: number): string {
  const rounded = Math.round(percent)
  return `${rounded < 0 ? '−' : '+'}${Math.abs(rounded).toLocaleString('en-US')} %`
}

export function dayCount(days: number): string {
  return `${days} ${Math.abs(days) === 1 ? 'day' : 'days'}`
}

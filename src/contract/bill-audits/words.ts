/** Number formats of the findings' messages. */

/** Created once: creating a formatter takes longer than a whole audit. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
const inDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** At most three significant digits: 312, 18.4, 0.0712. */
export function rate(value: number): string {
  return (Math.abs(value) >= 100 || value === 0 ? whole : threeDigits).format(value)
}

/** Formats a float as dollars; actual money is formatted from its wire text. */
export function dollars(value: number): string {
  return inDollars.format(value)
}

/** With its sign: '+72%', '−40%'. */
export function signedPercent(percent: number): string {
  const rounded = Math.round(percent)
  return `${rounded < 0 ? '−' : '+'}${whole.format(Math.abs(rounded))}%`
}

export function dayCount(days: number): string {
  return `${days} ${Math.abs(days) === 1 ? 'day' : 'days'}`
}

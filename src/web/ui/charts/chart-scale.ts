/** The numbers of a chart's scale, all in one unit, so that the reader never compares '800' with '1.2K'. */
const MILLION = 1_000_000
const THOUSAND = 1_000
const PLACES = 4

/** Returns a formatter for a scale whose largest value is `largest`: '$0', '$2.5M', '$5M'. */
export function scaleText(largest: number, prefix = ''): (value: number) => string {
  const [divisor, suffix] = largest >= MILLION ? [MILLION, 'M'] : largest >= THOUSAND ? [THOUSAND, 'K'] : [1, '']
  return (value) => {
    const size = Math.abs(value) / divisor
    const digits = size.toLocaleString('en-US', { maximumFractionDigits: PLACES })
    return `${value < 0 ? '−' : ''}${prefix}${digits}${value === 0 ? '' : suffix}`
  }
}

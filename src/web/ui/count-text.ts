const COUNT_MAX = 99

/** A count as people read it at a glance: beyond 99 the number says no more than "many", and nothing has to be counted for it. */
export function countText(count: number): string {
  return count > COUNT_MAX ? `${COUNT_MAX}+` : String(count)
}

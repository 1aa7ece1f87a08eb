/** The order of a table whose heads are pressed: a key, with a minus for the largest first. Pure. */
/** The next order when a column's head is pressed: the largest first, then the smallest; names the other way round. */
export function nextOrder(order: string, key: string): string {
  const [first, second] = key === 'name' ? [key, `-${key}`] : [`-${key}`, key]
  return order === first ? second : first
}

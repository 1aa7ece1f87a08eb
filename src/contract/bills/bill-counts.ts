/** Which bills a sum counts: each amount owed, once. A void bill was replaced, and a group's child is paid by the group's bill. */
export const billCounts = [
  { value: 'owed', label: 'Owed' },
  { value: 'void', label: 'Not counted: void' },
  { value: 'group_child', label: 'Not counted: in its group bill' },
] as const
export type BillCounts = (typeof billCounts)[number]['value']

/**
 * The choice of the bills that a sum adds up. `all` is for the bills behind a figure, whose filters say which of them it counts: a batch has booked void bills
 * too, and books the children in place of their group's bill. `owed` is for a total of cost: each cent once.
 */
export const sumsOfBills = ['all', 'owed'] as const

/** Bills left out of a sum, by reason. */
export interface LeftOut {
  readonly void: number
  readonly group_child: number
}

/** Describes what a sum did not count; '' if it counted everything. */
export function leftOutWords(left: LeftOut): string {
  const parts = [
    ...(left.void > 0 ? [`${figure(left.void)} void`] : []),
    ...(left.group_child > 0 ? [`${figure(left.group_child)} group ${left.group_child === 1 ? 'child' : 'children'}`] : []),
  ]
  return parts.length === 0 ? '' : `${parts.join(' and ')} not counted`
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}

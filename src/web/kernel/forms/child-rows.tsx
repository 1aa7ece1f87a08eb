/** Child records inside a form: rows can be added, changed and removed. They are sent as `*_attributes`, with `_destroy` for removed ones. */
import { useEffect, useRef, type ReactNode } from 'react'
import { Copy, Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import type { SlotProps } from './entity-form.tsx'
import styles from './child-rows.module.css'
import { valueText } from '../value-text.ts'

/** A child record as the form holds it: texts and numbers as typed. */
export type ChildValues = Readonly<Record<string, unknown>>

export interface ChildRowProps {
  readonly child: ChildValues
  readonly set: (changes: ChildValues) => void
  /** Returns the error of one of the child's values. */
  readonly error: (key: string) => string | undefined
}

export interface ChildRowsProps extends Pick<SlotProps, 'value' | 'onChange' | 'errors' | 'disabled'> {
  /** The wire name: 'usage_units_attributes'. */
  name: string
  /** For screen readers; everybody sees the section's heading. */
  title: string
  addLabel: string
  /** A note on all rows. */
  note?: string | undefined
  /** Initial values of a new child. */
  blank: ChildValues
  /** Rows can be copied; the copy is appended. */
  copies?: boolean | undefined
  /** Maximum number of rows. */
  max?: number | undefined
  /** An error of the rows as a whole. */
  problem?: ReactNode
  /** Further buttons beside the add button. */
  tools?: ReactNode
  /** The controls of one child. */
  children: (row: ChildRowProps) => ReactNode
}

/** A list of children in a slot of an EntityForm. */
export function ChildRows({
  name,
  title,
  addLabel,
  note,
  blank,
  copies,
  max,
  value,
  onChange,
  errors,
  disabled,
  problem,
  tools,
  children,
}: ChildRowsProps) {
  const rows = childrenOf(value)
  const replace = (at: number, next: ChildValues | null) =>
    onChange(rows.flatMap((row, index) => (index === at ? (next === null ? [] : [next]) : [row])))
  const remove = (at: number) => {
    const id = rows[at]?.['id']
    replace(at, id === undefined ? null : { id, _destroy: true })
  }
  const shown = rows.flatMap((child, at) => (child['_destroy'] === true ? [] : [{ child, at }]))
  const isFull = max !== undefined && shown.length >= max
  const { list, adder, follow } = useFocusAfter(shown.length)
  return (
    <div ref={list} className={styles.children} role="group" aria-label={title}>
      {note && <p className={styles.note}>{note}</p>}
      {shown.map(({ child, at }, place) => (
        <div key={typeof child['id'] === 'number' ? child['id'] : `new ${at}`} className={styles.row} data-child-row="">
          <div className={styles.controls}>
            {children({ child, set: (changes) => replace(at, { ...child, ...changes }), error: (key) => errors[`${name}.${at}.${key}`] })}
          </div>
          {copies && (
            <IconButton
              label={`Copy ${title} ${place + 1}`}
              icon={<Copy size={14} aria-hidden="true" />}
              disabled={disabled || isFull}
              onClick={() => follow('added', () => onChange([...rows, withoutId(child)]))}
            />
          )}
          <IconButton
            label={`Remove ${title} ${place + 1}`}
            icon={<X size={14} aria-hidden="true" />}
            disabled={disabled}
            onClick={() => follow('removed', () => remove(at))}
          />
        </div>
      ))}
      {(problem ?? errors[name]) && (
        <p role="alert" className={styles.problem}>
          {problem ?? errors[name]}
        </p>
      )}
      <div className={styles.tools}>
        <Button
          ref={adder}
          small
          disabled={disabled}
          disabledReason={isFull ? `There are ${max} already` : undefined}
          onClick={() => follow('added', () => onChange([...rows, blank]))}
        >
          <Plus size={14} aria-hidden="true" />
          {addLabel}
        </Button>
        {tools}
      </div>
    </div>
  )
}

/** Focuses the first field of an added row, or the add button after a removal, because the pressed button is gone. */
function useFocusAfter(count: number) {
  const list = useRef<HTMLDivElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const done = useRef<'added' | 'removed' | null>(null)
  useEffect(() => {
    const what = done.current
    done.current = null
    if (what === 'removed') adder.current?.focus()
    if (what !== 'added') return
    const field = list.current?.querySelectorAll('[data-child-row]')[count - 1]?.querySelector('input, select, textarea')
    if (field instanceof HTMLElement) field.focus()
  }, [count])
  const follow = (what: 'added' | 'removed', act: () => void) => {
    done.current = what
    act()
  }
  return { list, adder, follow }
}

/** Returns the children in a form's value, whatever its type. */
export function childrenOf(value: unknown): ChildValues[] {
  if (!Array.isArray(value)) return []
  return value.filter((child: unknown): child is ChildValues => typeof child === 'object' && child !== null)
}

function withoutId(child: ChildValues): ChildValues {
  return Object.fromEntries(Object.entries(child).filter(([key]) => key !== 'id'))
}

/** Returns the children that will exist after the save. */
export function liveChildren(value: unknown): ChildValues[] {
  return childrenOf(value).filter((child) => child['_destroy'] !== true)
}

/** Returns a value as text for a text field. */
export function textOf(child: ChildValues, key: string): string {
  return valueText(child[key])
}

export function idOf(child: ChildValues, key: string): number | null {
  const value = child[key]
  return typeof value === 'number' ? value : null
}

import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button, type ButtonKind } from './button.tsx'
import { cx } from './class-names.ts'
import styles from './overlay.module.css'
import { keepPlaced, type PlaceAlign } from './place.ts'

export type PopoverProps = {
  /** Contents of the opening button. */
  trigger: ReactNode
  /** The button's name if the trigger is only an icon; also names the panel. */
  label: string
  children: ReactNode | ((close: () => void) => ReactNode)
  align?: PlaceAlign | undefined
  kind?: ButtonKind | undefined
  small?: boolean | undefined
  square?: boolean | undefined
  onOpen?: (() => void) | undefined
  role?: 'dialog' | 'menu' | undefined
  /** −1 if another key opens it. */
  tabIndex?: number | undefined
  className?: string | undefined
  /** Id of the button. */
  id?: string | undefined
}

/** A button with a panel below it. Escape or a click outside closes it, and the focus returns to the button. */
export function Popover(props: PopoverProps) {
  const { trigger, label, children, align, kind = 'quiet', small, onOpen, role = 'dialog', tabIndex, className } = props
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const { panel, open, setOpen } = usePanel(button, align)
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      <Button
        ref={button}
        id={props.id}
        kind={kind}
        small={small}
        popoverTarget={id}
        tabIndex={tabIndex}
        aria-haspopup={role}
        aria-expanded={open}
        aria-label={typeof trigger === 'string' ? undefined : label}
        title={typeof trigger === 'string' ? undefined : label}
        className={className}
      >
        {trigger}
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        className={cx(styles.panel, role === 'menu' && styles.menu)}
        onToggle={(event) => {
          // React hands on the event of a popover inside this one, such as a calendar.
          if (event.target !== event.currentTarget) return
          const opened = event.newState === 'open'
          setOpen(opened)
          if (opened) onOpen?.()
        }}
      >
        {open && (typeof children === 'function' ? children(close) : children)}
      </div>
    </>
  )
}

/** Places the panel while it is open and moves the focus into it. */
function usePanel(anchor: RefObject<HTMLElement | null>, align: PlaceAlign | undefined) {
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!open || !panel.current || !anchor.current) return undefined
    const stop = keepPlaced(panel.current, anchor.current, align)
    focusFirst(panel.current)
    return stop
  }, [open, anchor, align])
  return { panel, open, setOpen }
}

/** Focuses the first focusable element of the panel. */
export function focusFirst(panel: HTMLElement): void {
  const first = panel.querySelector(
    '[autofocus], [role^="menuitem"], input:not([disabled]), select, textarea, button, a[href], [role="listbox"][tabindex]',
  )
  if (first instanceof HTMLElement) first.focus({ preventScroll: true })
}

import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { IconButton } from '../button.tsx'
import { cx } from '../class-names.ts'
import styles from './dialogs.module.css'

export type ModalProps = {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Buttons at the bottom. */
  footer?: ReactNode
  /** Width in px, limited by the window's width. */
  width?: number | undefined
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog' | undefined
  /** Hides the heading; the title still names the dialog. */
  bare?: boolean | undefined
  /** Placed at the window's right edge with full height. */
  drawer?: boolean | undefined
  /** Keeps its top edge in place when its height changes. */
  pinned?: boolean | undefined
  onKeyDown?: ((event: KeyboardEvent<HTMLDialogElement>) => void) | undefined
}

/** A modal dialog based on the platform's own element: the page behind it is inert, Escape closes it, and the focus returns to where it was. */
export function Modal(props: ModalProps) {
  const { open, onClose, title, children, footer, width = 440, role = 'dialog', bare, drawer, pinned, onKeyDown } = props
  const dialog = useDialog(open)
  const titleId = useId()
  if (!open) return null
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      className={cx(styles.dialog, drawer && styles.drawer, pinned && styles.pinned)}
      style={{ width }}
      onKeyDown={(event) => {
        onKeyDown?.(event)
        if (!closesByEscape(event)) return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current && role === 'dialog') onClose()
      }}
    >
      <div className={styles.frame}>
        <div className={bare ? 'sr-only' : styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {role === 'dialog' && !bare && <IconButton label="Close" icon={<X size={16} aria-hidden="true" />} onClick={onClose} />}
        </div>
        <div className={bare ? styles.bareBody : styles.body}>{children}</div>
        {footer && <div className={styles.foot}>{footer}</div>}
      </div>
    </dialog>
  )
}

/**
 * Whether the key asks to close the dialog. The browser must not answer it: it lets a page keep its dialog open only once until the next click
 * or letter, and closes it unasked the second time. A panel that is open inside the dialog closes first, by the browser.
 */
function closesByEscape(event: KeyboardEvent<HTMLDialogElement>): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return false
  return event.currentTarget.querySelector('[popover="auto"]:popover-open') === null
}

/** Shows the dialog while it is open. It is closed before it leaves the page, so that the browser returns the focus. */
function useDialog(open: boolean) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!open || !element) return undefined
    const before = document.activeElement
    element.showModal()
    const wanted = element.querySelector('[data-autofocus]')
    if (wanted instanceof HTMLElement) wanted.focus()
    return () => {
      element.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [open])
  return dialog
}

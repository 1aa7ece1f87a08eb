import { createContext, createElement, use, type AnchorHTMLAttributes, type ComponentType, type ReactNode, type Ref } from 'react'

export type UiLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  children?: ReactNode
  ref?: Ref<HTMLAnchorElement> | undefined
}

/** The app provides its router's link here, because the kit does not know the router; without it a link loads its page. */
export const LinkComponent = createContext<ComponentType<UiLinkProps>>(PlainLink)

/** A link inside the console. `href` is a path with its query string. */
export function UiLink(props: UiLinkProps) {
  return createElement(use(LinkComponent), props)
}

function PlainLink({ children, ...props }: UiLinkProps) {
  return <a {...props}>{children}</a>
}

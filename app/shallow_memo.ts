import { Component, type FunctionComponent, h } from "preact";

/**
 * A component that is drawn again only if one of its properties is another value. It keeps a
 * keystroke to the row that it falls in. (preact/compat has the same, but changes what events mean
 * on the whole page.)
 */
export function shallowMemo<P extends object>(draw: FunctionComponent<P>): new () => Component<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof P)[];
      return names.some((name) => this.props[name] !== next[name]);
    }
    override render() {
      return h(draw, this.props as P);
    }
  };
}

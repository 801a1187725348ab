/** The plumb bob. */
export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="-3 0 18 18" width="15" height="15" aria-hidden="true">
        <path d="M6 0v7" stroke="currentColor" strokeWidth="1.5" />
        <path d="M2.6 6.6h6.8v2.6c0 3.5-1.8 6.6-3.4 8.8-1.6-2.2-3.4-5.3-3.4-8.8z" fill="currentColor" />
      </svg>
    </span>
  );
}

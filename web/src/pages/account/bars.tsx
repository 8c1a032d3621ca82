type Bar = { readonly key: string; readonly label: string; readonly value: number; readonly text: string };

/** Shows numbers beside each other, each in words and as a bar against the largest. */
export function Bars({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul class="account-bars" aria-label={label}>
      {bars.map(({ key, label: name, value, text }) => (
        <li key={key}>
          <bdi>{name}</bdi>
          <span class="account-bar" aria-hidden="true">
            <i style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span class="number">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** The shape of a page, until it is known who reads it; web/index.html has the same before any script runs. */
export const Shell = () => (
  <div className="frame" aria-busy="true">
    <div className="navigation" />
    <div className="page">
      <div className="skeleton shell-line" />
      <div className="skeleton shell-tiles" />
      <div className="skeleton shell-chart" />
    </div>
  </div>
);

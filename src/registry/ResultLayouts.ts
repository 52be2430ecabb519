/**
 * Columns of the lists of answers in the line form: a `Layout` as JSON, by `facade.operation`. A column keeps its place; new
 * ones come behind, under the next version. Made from the handlers' types by `npx tsx src/build/results.ts`; edits are lost.
 */
export const layouts: { readonly [operation: string]: string } = {
  "analyze.agent_config":
    '{"version":1,"lists":{"files":["id","file_path","lines","tokens","bloat_score","stale_refs","dead_paths","dead_commands"]}}',
  "analyze.annotation_users":
    '{"version":1,"lists":{"users":["symbol","file_path","line","args","test"],"annotations":["id","name","users","file_path","line"]}}',
  "analyze.architecture":
    '{"version":1,"lists":{"languages":["files","lines","symbols","language"],"communities":["id","label","size","cohesion","hub","file_count","files"],"hotspots":["id","kind","name","file_path","line","fan_in","fan_out","community_crossings","betweenness","complexity_score","cyclomatic"],"entry_points":["id","kind","name","file_path","line"],"processes":["id","name","entry_point","file_path","line","step_count","more_steps","file_count","files","score"]}}',
  "analyze.bottlenecks":
    '{"version":1,"lists":{"functions":["id","name","kind","file_path","line","score","cyclomatic","cognitive","loop_depth","transitive_loop_depth","recursive","reasons"]}}',
  "analyze.cgo_users": '{"version":1,"lists":{"cgo_users":["id","file_path","line","uses"]}}',
  "analyze.channel_ops":
    '{"version":1,"lists":{"channels":["id","channel","file_path","line","sends","recvs","senders","receivers","closes","buffered","passed_to_calls"]}}',
  "analyze.churn":
    '{"version":1,"lists":{"symbols":["id","kind","name","file_path","line","churn_rate","commit_count","age_days","last_author","last_email","last_commit","last_commit_at"]}}',
  "analyze.clones":
    '{"version":1,"lists":{"clusters":["id","size","avg_similarity","spare_tokens","dead_count","has_dead_code","tests","members"],"copied_runs":["tokens","first","second"]}}',
  "analyze.clusters":
    '{"version":1,"lists":{"clusters":["id","label","hub","size","cohesion","density","languages","files","top_files","member_sample"]}}',
  "analyze.co_change":
    '{"version":1,"lists":{"co_changing":["id","file_path","score","count","commits","symbols"]}}',
  "analyze.communities":
    '{"version":1,"lists":{"communities":["id","label","size","cohesion","hub","file_count","files"],"files":["file_path","members"],"members":["id","kind","name","file_path","line"]}}',
  "analyze.components":
    '{"version":1,"lists":{"components":["id","name","framework","file_path","line","parents","fan_in","fan_out"],"children":["from","to","name","resolved","file_path","line"]}}',
  "analyze.concepts":
    '{"version":1,"lists":{"concepts":["cluster_id","theme","word_count","member_size","file_count","files","member_sample"]}}',
  "analyze.config_readers":
    '{"version":1,"lists":{"config_keys":["id","name","source","readers","reads","sites","sites_omitted"]}}',
  "analyze.connectivity_health":
    '{"version":1,"lists":{"by_kind":["nodes","isolated","leaf","kind"],"dead_weight_by_file":["file_path","isolated","leaf","nodes","dead_weight"]}}',
  "analyze.constructors_missing_fields":
    '{"version":1,"lists":{"sites":["function_id","function_name","file_path","line","type_id","type_name","missing_fields","total_fields","by","id"]}}',
  "analyze.contracts":
    '{"version":1,"lists":{"contracts":["id","type","role","method","name","repo","framework","symbol","file_path","line","tier"],"matched":["id","type","name","method","across_repos","provider","consumers"],"orphan_providers":["id","type","role","method","name","repo","framework","symbol","file_path","line","tier"],"orphan_consumers":["id","type","role","method","name","repo","framework","symbol","file_path","line","tier"],"issues":["id","type","role","method","name","repo","framework","symbol","file_path","line","tier","severity","rule","message","others"],"ranked":["id","type","role","method","name","repo","framework","symbol","file_path","line","tier","score","across_repos","partners"],"impact":["id","contract","repos","affected"]}}',
  "analyze.coupling":
    '{"version":1,"lists":{"units":["unit","ca","ce","instability","internal_edges","total_edges","members"]}}',
  "analyze.coverage_gaps":
    '{"version":1,"lists":{"gaps":["id","kind","file_path","line","coverage_pct","num_stmt","hit"]}}',
  "analyze.coverage_summary":
    '{"version":1,"lists":{"directories":["id","dir","symbols","avg_pct","statement_pct","covered","partial","uncovered"]}}',
  "analyze.cross_repo":
    '{"version":1,"lists":{"dependencies":["from_repo","to_repo","kind","count","samples"],"repositories":["name","root"]}}',
  "analyze.cycles": '{"version":1,"lists":{"cycles":["kind","severity","path","size","members"]}}',
  "analyze.dbt_models":
    '{"version":1,"lists":{"dbt_models":["id","name","framework","resource_type","materialized","schema","columns","upstream","downstream","file_path","line","missing_upstream"]}}',
  "analyze.def_use":
    '{"version":1,"lists":{"symbols":["id","name","file_path","chains","variables","error","line","language","approximations"]}}',
  "analyze.doc_staleness":
    '{"version":1,"lists":{"stale":["id","source","file_path","line","name","worst_state","dangling","pending","total_refs","links"]}}',
  "analyze.domain":
    '{"version":1,"lists":{"summary":["detector","severity","cwe","count","message","fix"],"matches":["detector","severity","category","cwe","owasp","tags","language","file","line","end_line","column","symbol","text"],"languages_without_rules":["language","files"]}}',
  "analyze.drupal_hooks": '{"version":1,"lists":{"hooks":["id","hook","count","implementations"]}}',
  "analyze.edge_audit":
    '{"version":1,"lists":{"unimplemented_interfaces":["id","kind","name","file_path","line"],"test_only_targets":["id","kind","name","file_path","line"],"weak_call_edges":["from","to","kind","file_path","line","tier"]}}',
  "analyze.env_var_users":
    '{"version":1,"lists":{"env_vars":["id","name","readers","reads","sites","sites_omitted","set_in"]}}',
  "analyze.error_surface":
    '{"version":1,"lists":{"throwers":["id","symbol","file_path","line","throws","how","errors","error_msgs","test"]}}',
  "analyze.event_emitters":
    '{"version":1,"lists":{"events":["id","name","event_kind","emits","emitters","emitters_omitted"]}}',
  "analyze.external_calls":
    '{"version":1,"lists":{"symbols":["id","name","kind","import_path","calls","callers","file_path","line"],"modules":["id","path","version","module_kind","symbols","calls"]}}',
  "analyze.extraction":
    '{"version":1,"lists":{"candidates":["id","symbol_id","name","kind","file_path","line","start_line","end_line","line_count","caller_count","fan_out","complexity","score","rationale"]}}',
  "analyze.field_writers":
    '{"version":1,"lists":{"fields":["id","field","file_path","line","writes","writer_count","writers","sites"]}}',
  "analyze.fixes_history":
    '{"version":1,"lists":{"files":["id","file_path","fix_commits","commits","symbols","recent"]}}',
  "analyze.goroutine_spawns":
    '{"version":1,"lists":{"spawns":["id","target","mode","file_path","line","spawns","concurrency","spawners"]}}',
  "analyze.health":
    '{"version":1,"lists":{"worst_symbols":["id","file_path","line","score","grade","complexity","fan_in","fan_out"]}}',
  "analyze.health_score":
    '{"version":1,"lists":{"rollup":["id","file_path","score","grade","symbols","worst","distribution"],"symbols":["id","kind","file_path","line","score","grade","complexity","axes_used"]}}',
  "analyze.hotspots":
    '{"version":1,"lists":{"hotspots":["id","kind","name","file_path","line","fan_in","fan_out","community_crossings","betweenness","complexity_score","cyclomatic","changed_pct","first_line_at","last_line_at","novelty_score"]}}',
  "analyze.hygiene":
    '{"version":1,"lists":{"languages_without_rules":["language","files"],"summary":["detector","severity","cwe","count","message","fix"],"matches":["detector","severity","category","cwe","owasp","tags","language","file","line","end_line","column","symbol","text"]}}',
  "analyze.images":
    '{"version":1,"lists":{"images":["id","name","role","ref","tag","file_path","line","consumers","used_by"]}}',
  "analyze.indirect_mutations":
    '{"version":1,"lists":{"fields":["id","field","file_path","line","mutations","mutators"]}}',
  "analyze.inspection_catalog":
    '{"version":1,"lists":{"inspections":["id","category","description","severity"]}}',
  "analyze.inspections":
    '{"version":1,"lists":{"languages_without_rules":["language","files"],"results":["inspection","category","severity","description","violations","total","truncated"]}}',
  "analyze.k8s_resources":
    '{"version":1,"lists":{"resources":["id","k8s_kind","namespace","name","file_path","line","depends_on","configures","mounts","exposes","uses_env"]}}',
  "analyze.kcore": '{"version":1,"lists":{"kcore":["id","kind","name","file_path","line","k_degree"]}}',
  "analyze.knowledge_gaps":
    '{"version":1,"lists":{"disconnected_nodes":["id","kind","name","file_path","line"],"thin_communities":["id","label","size","cohesion","hub","file_count","files"],"single_file_communities":["id","label","size","cohesion","hub","file_count","files"],"untested_hotspots":["id","kind","name","file_path","line","fan_in","fan_out","community_crossings","betweenness","complexity_score","cyclomatic"]}}',
  "analyze.kustomize":
    '{"version":1,"lists":{"kustomizations":["id","dir","file_path","line","depends_on","resources","patches","generators","namespace"]}}',
  "analyze.lint":
    '{"version":1,"lists":{"diagnostics":["id","file_path","line","column","end_line","severity","linter","rule","message"],"linters_ran":["linter","source","findings"],"linters_skipped":["linter","reason","detail"]}}',
  "analyze.log_events":
    '{"version":1,"lists":{"events":["id","value","level","emits","emitters","emitters_omitted"]}}',
  "analyze.louvain":
    '{"version":1,"lists":{"communities":["id","label","size","cohesion","hub","file_count","files"]}}',
  "analyze.models":
    '{"version":1,"lists":{"models":["id","model","table","orm","derivation","file_path","line"]}}',
  "analyze.named":
    '{"version":1,"lists":{"queries":["name","description","source","detectors","detector_count"],"languages_without_rules":["language","files"],"summary":["detector","severity","cwe","count","message","fix"],"matches":["detector","severity","category","cwe","owasp","tags","language","file","line","end_line","column","symbol","text"]}}',
  "analyze.orphan_tables":
    '{"version":1,"lists":{"orphans":["id","table","schema","dialect","query_count","file_path","line"]}}',
  "analyze.ownership":
    '{"version":1,"lists":{"owners":["email","name","symbols","files","lines","oldest_timestamp","newest_timestamp"]}}',
  "analyze.pagerank": '{"version":1,"lists":{"pagerank":["id","kind","name","file_path","line","rank"]}}',
  "analyze.processes":
    '{"version":1,"lists":{"processes":["id","name","entry_point","file_path","line","step_count","more_steps","file_count","files","score"],"steps":["id","kind","name","file_path","line","step","depth","called_by"]}}',
  "analyze.pubsub":
    '{"version":1,"lists":{"topics":["id","name","transport","publishes","subscribes","publishers","subscribers","publishers_omitted","subscribers_omitted"]}}',
  "analyze.race_writes":
    '{"version":1,"lists":{"race_writes":["id","field","writer","file_path","line","reason","spawn_path"]}}',
  "analyze.recent_changes":
    '{"version":1,"lists":{"changes":["id","file_path","kind","timestamp","nodes_before","nodes_after","commit","subject","repository"]}}',
  "analyze.ref_facts":
    '{"version":1,"lists":{"facts":["from","to","kind","ref_name","file_path","line","column","tier","origin"]}}',
  "analyze.releases":
    '{"version":1,"lists":{"file_hits":["id","file_path","symbols"],"releases":["id","tag","repository","commit","released_at","version","prerelease","order","commits","file_count","files"]}}',
  "analyze.replay": '{"version":1,"lists":{"not_looked_at":["source","because"]}}',
  "analyze.resolution_outcomes":
    '{"version":1,"lists":{"rows":["name","kind","file_path","line","column","within","reason","language","candidates","candidate_count"]}}',
  "analyze.retrieval_log":
    '{"version":1,"lists":{"by_tool":["tool","count","failed","zero_rate","avg_nodes","p50_ms","p95_ms"],"zero_result_questions":["at","operation","question"],"recent":["at","tool","operation","duration_ms","rows","outcome","question"]}}',
  "analyze.review":
    '{"version":1,"lists":{"languages_without_rules":["language","files"],"summary":["detector","severity","cwe","count","message","fix"],"matches":["detector","severity","category","cwe","owasp","tags","language","file","line","end_line","column","symbol","text"]}}',
  "analyze.role":
    '{"version":1,"lists":{"symbols":["id","kind","name","file_path","line","role","fan_in","fan_out"]}}',
  "analyze.route_frameworks":
    '{"version":1,"lists":{"passes":["name","languages","candidate_files","routes"]}}',
  "analyze.routes":
    '{"version":1,"lists":{"routes":["id","route","method","path","kind","framework","handler","handler_kind","tier","file_path","line"]}}',
  "analyze.sast":
    '{"version":1,"lists":{"languages_without_rules":["language","files"],"summary":["detector","severity","cwe","count","message","fix"],"matches":["detector","severity","category","cwe","owasp","tags","language","file","line","end_line","column","symbol","text"]}}',
  "analyze.scc": '{"version":1,"lists":{"components":["id","size","members"]}}',
  "analyze.speculative": '{"version":1,"lists":{"shapes":["shape","means","edges","calls","samples"]}}',
  "analyze.sql_call_sites":
    '{"version":1,"lists":{"call_sites":["id","symbol","name","file_path","line","tables","queries","reads","writes"]}}',
  "analyze.stale_code":
    '{"version":1,"lists":{"stale":["id","kind","file_path","line","author","email","commit","timestamp","age_days"]}}',
  "analyze.stale_flags":
    '{"version":1,"lists":{"flags":["id","name","provider","file_path","line","callers","caller_ids","sites","newest_call_timestamp","age_days"]}}',
  "analyze.string_emitters":
    '{"version":1,"lists":{"strings":["id","context","value","emits","emitters","emitters_omitted"]}}',
  "analyze.suggest_boundaries":
    '{"version":1,"lists":{"suggested_layers":["name","paths","allow","size","uses"]}}',
  "analyze.surprising_connections":
    '{"version":1,"lists":{"connections":["from","to","kind","tier","score","signals","reasons","file_path","line","return_usage","sites"]}}',
  "analyze.swiftui_views": '{"version":1,"lists":{"roles":["id","role","count"]}}',
  "analyze.synthesizers": '{"version":1,"lists":{"synthesizers":["name","adds","edges","samples"]}}',
  "analyze.temporal_orphans":
    '{"version":1,"lists":{"broken_dispatch":["id","name","symbol","file_path","line"],"signal_no_handler":["id","name","symbol","file_path","line"],"query_no_handler":["id","name","symbol","file_path","line"],"orphan_activity":["id","name","symbol","file_path","line"],"orphan_workflow":["id","name","symbol","file_path","line"]}}',
  "analyze.tests_as_edges":
    '{"version":1,"lists":{"rows":["id","name","kind","file_path","line","count","related"]}}',
  "analyze.todos":
    '{"version":1,"lists":{"todos":["id","tag","file_path","line","assignee","due","ticket","text","within"]}}',
  "analyze.uikit_classes": '{"version":1,"lists":{"roles":["id","role","count"]}}',
  "analyze.unclosed_channels":
    '{"version":1,"lists":{"unclosed_channels":["id","channel","file_path","line","sends","recvs","senders","receivers","test","risk","reason"]}}',
  "analyze.unreferenced_tables":
    '{"version":1,"lists":{"unreferenced":["id","table","schema","dialect","provider_count","file_path","line"]}}',
  "analyze.unsafe_patterns":
    '{"version":1,"lists":{"languages_without_rules":["language","files"],"summary":["detector","severity","cwe","count","message","fix"],"matches":["detector","severity","category","cwe","owasp","tags","language","file","line","end_line","column","symbol","text"]}}',
  "analyze.untested":
    '{"version":1,"lists":{"untested":["id","name","kind","file_path","line","fan_in","complexity"]}}',
  "analyze.wasm_users": '{"version":1,"lists":{"wasm_users":["id","file_path","line","bound"]}}',
  "analyze.wcc": '{"version":1,"lists":{"components":["id","size","members"]}}',
  "analyze.why":
    '{"version":1,"lists":{"rationale":["source_id","kind","rationale_kind","asset_kind","name","text","signal","file_path","line","commit","at","id"],"not_looked_at":["source","because"]}}',
  "capabilities.legacy_search":
    '{"version":1,"lists":{"tools":["name","listed","available","description","input_schema"]}}',
  "capabilities.schema":
    '{"version":1,"lists":{"domains":["name","description","effect","pack","operations","available","input_schema"],"operations":["operation","effect","available","unavailable_reason","summary","fixed_arguments","input_schema","request_shape","request_shape_note","schema_hash"]}}',
  "capabilities.summary":
    '{"version":1,"lists":{"domains":["name","description","effect","pack","operations","available"],"operations":["operation","available","summary"]}}',
  "change.api_impact":
    '{"version":1,"lists":{"routes":["boundaries","boundary_count","route","method","file_path","line","handler_unknown","consumers","consumer_count","risk","impact_summary","by_depth_counts","affected","handler"]}}',
  "change.code_actions":
    '{"version":1,"lists":{"actions":["index","title","kind","is_preferred","has_edit","disabled_reason"]}}',
  "change.contract":
    '{"version":1,"lists":{"changed_symbols":["id","kind","name","file_path","line","change","signature","previous_signature","test"],"reasons":["family","severity","message","confidence"]}}',
  "change.detect":
    '{"version":1,"lists":{"repos":["name","root","changed_files","from_commit"],"boundaries":["name","unbound_sites","sites"],"changed_symbols":["id","kind","name","file_path","line","change","signature","previous_signature","test"],"file_changes":["path","change_kind","previous_path","type","binary","modes"]}}',
  "change.diagnostics":
    '{"version":1,"lists":{"diagnostics":["line","column","end_line","end_column","severity","message","code","source","file_path"]}}',
  "change.edit_plan":
    '{"version":1,"lists":{"boundaries":["name","unbound_sites","sites"],"edit_order":["order","file","symbols","symbol_count","reason"]}}',
  "change.guards":
    '{"version":1,"lists":{"violations":["rule_name","kind","description","severity","violator","file_path","line","target","layer_from","layer_to"]}}',
  "change.impact": '{"version":1,"lists":{"boundaries":["name","unbound_sites","sites"]}}',
  "change.overlay_branches":
    '{"version":1,"lists":{"branches":["name","active","file_count","base_sha_count","bytes","parent","created_at"]}}',
  "change.overlay_state": '{"version":1,"lists":{"files":["path","deleted","base_sha","content_size"]}}',
  "change.pattern":
    '{"version":1,"lists":{"siblings":["id","kind","name","file_path","line","signature","test"],"registration":["file_path","line","kind","within"],"test_patterns":["file","found_by","functions"]}}',
  "change.ranges":
    '{"version":1,"lists":{"ranges":["file_path","start_line","end_line","symbols","not_indexed","lines_outside_symbols","file_lines"]}}',
  "change.receipt":
    '{"version":1,"lists":{"files":["path","state","before","after"],"replaced":["path","copy"],"changes":["kind","path","destination","changed","new_sha"],"receipts":["conflicts","closed","kept_in","files","replaced","receipt","disk_status","graph_status","at","changes","retry_safe"]}}',
  "change.tests": '{"version":1,"lists":{"run_commands":["command","runner","files"]}}',
  "change.verify":
    '{"version":1,"lists":{"return_usage":["use","sites"],"violations":["symbol_id","name","file_path","line","kind","description"],"sites":["symbol_id","file_path","line","kind","verdict","problem","reason","tier","within","return_usage"]}}',
  "edit.apply_overlay":
    '{"version":1,"lists":{"merged":["path","deleted","changed","new_sha","read_revision"]}}',
  "edit.batch":
    '{"version":1,"lists":{"plan":["index","op","resolved_path","source_state","resolved_destination","destination_state","status","reason_code","edits","would_change","warnings","diff","parse_gate"],"files":["path","state","before","after"],"replaced":["path","copy"],"results":["index","kind","path","destination","changed","new_sha","read_revision"]}}',
  "edit.export_graph": '{"version":1,"lists":{"files":["path","bytes","changed"]}}',
  "edit.scaffold": '{"version":1,"lists":{"edits":["path","part","action","diff","parse_gate"]}}',
  "edit.skill":
    '{"version":2,"lists":{"references":["rel_path","compressed","bytes","bytes_written"],"symbols":["id","kind"],"skipped":["path","reason"]}}',
  "edit.wiki": '{"version":1,"lists":{"files":["path","bytes","changed"]}}',
  "explore.closure": '{"version":1,"lists":{"members":["id","kind","distance","proximity"]}}',
  "explore.context": '{"version":1,"lists":{"entry_file_symbols":["id","kind","start_line","signature"]}}',
  "explore.outline":
    '{"version":1,"lists":{"languages":["files","lines","symbols","language"],"areas":["path","files","lines","symbols"],"hotspots":["id","kind","uses","complexity"],"most_imported_files":["path","importers"],"entry_points":["id","because"]}}',
  "explore.task":
    '{"version":1,"lists":{"symbols":["id","kind","lines","signature","because","source","cut","used_by","more_users"],"files":["path","because"]}}',
  "overlay.merge": '{"version":1,"lists":{"conflicts":["path","reason","resolution"]}}',
  "read.editing_context":
    '{"version":1,"lists":{"defines":["id","kind","start_line","end_line","flags","signature"],"imports":["module","names","file"],"called_by":["id","kind","line","sites","signature","test"],"calls":["id","kind","line","sites","signature","test"]}}',
  "read.summary":
    '{"version":1,"lists":{"nodes":["id","kind","name","start_line","end_line","signature","flags"]}}',
  "refactor.apply_code_action":
    '{"version":1,"lists":{"files_touched":["path","deleted","new_sha","read_revision"],"edits":["file","line","column","old_text","new_text","confidence","reason"]}}',
  "refactor.delete":
    '{"version":1,"lists":{"files":["path","deleted","new_sha","read_revision"],"references":["file","line","role","tier","within","as"],"cascade_closure":["id","kind","name","file_path","line","signature","test","used_by"],"caller_patches":["file","line","within"]}}',
  "refactor.fix_all":
    '{"version":1,"lists":{"files_touched":["path","deleted","new_sha","read_revision"],"edits":["file","line","column","old_text","new_text","confidence","reason"],"final_diagnostics":["path","line","severity","message","code"]}}',
  "refactor.inline":
    '{"version":1,"lists":{"touched":["path","edits"],"files":["path","deleted","new_sha","read_revision"],"edits":["file","line","column","old_text","new_text","confidence","reason"]}}',
  "refactor.move":
    '{"version":1,"lists":{"files":["path","deleted","new_sha","read_revision"],"touched":["path","role","edits","created"],"edits":["file","line","column","old_text","new_text","confidence","reason"]}}',
  "refactor.rename":
    '{"version":1,"lists":{"edits":["file","line","column","old_text","new_text","confidence","reason"],"files":["path","deleted","new_sha","read_revision"]}}',
  "relations.callers":
    '{"version":1,"lists":{"nodes":["id","kind","name","file_path","line","signature","test","depth"]}}',
  "relations.cluster":
    '{"version":1,"lists":{"nodes":["id","kind","name","file_path","line","signature","test","depth"]}}',
  "relations.declaration":
    '{"version":1,"lists":{"declarations":["declaration","use_sites","use_site_count"]}}',
  "relations.dependencies":
    '{"version":1,"lists":{"nodes":["id","kind","name","file_path","line","signature","test","depth"]}}',
  "relations.dependents":
    '{"version":1,"lists":{"nodes":["id","kind","name","file_path","line","signature","test","depth"]}}',
  "relations.implementations":
    '{"version":1,"lists":{"implementations":["id","kind","name","file_path","line","signature","test","how","tier","via"]}}',
  "relations.references":
    '{"version":1,"lists":{"dispatched_through":["id","uses"],"evidence":["from_id","file_path","line","kind","tier"]}}',
  "relations.usages":
    '{"version":1,"lists":{"dispatched_through":["id","uses"],"files":["file_path","count","by_role","lines"]}}',
  "response.grep": '{"version":1,"lists":{"matches":["text","line","block","clipped"]}}',
  "response.stats":
    '{"version":1,"lists":{"buffered":["response_id","tool","lines","bytes","approx_tokens","captured_at","age_seconds"]}}',
  "search.ast": '{"version":1,"lists":{"matches":["file","line"]}}',
  "search.completion": '{"version":1,"lists":{"results":["id","name","kind","file","start_line","is_seed"]}}',
  "search.files": '{"version":1,"lists":{"files":["path","language"]}}',
  "search.symbols":
    '{"version":1,"lists":{"results":["id","kind","name","file_path","start_line","signature","test","match"]}}',
  "search.text":
    '{"version":1,"lists":{"matches":["path","line","end_line","column","text","clipped","before","after","symbol_id"],"files":["path","count"]}}',
  "search.winnow":
    '{"version":1,"lists":{"results":["id","name","kind","file","score","fan_in","fan_out","contributions"]}}',
  "session.agents":
    '{"version":1,"lists":{"agents":["id","name","cursor","status","locked_paths","last_seen","mine"],"conflicts":["path","held_by","holds"]}}',
  "trace.call_chain": '{"version":1,"lists":{"dynamic_boundaries":["id","candidates","candidate_count"]}}',
  "trace.cfg":
    '{"version":1,"lists":{"blocks":["id","label","unreachable","dominator","statements"],"edges":["from","to","kind"],"def_use":["stmt","line","var","defs","outside"]}}',
  "trace.flow": '{"version":1,"lists":{"paths":["ids","edges","confidence","tier","starts","steps"]}}',
  "trace.graph":
    '{"version":1,"lists":{"stages":["stage","nodes"],"nodes":["id","kind","name","file_path","line"],"edges":["from","to","kind","file_path","line","tier","sites"]}}',
  "trace.path": '{"version":1,"lists":{"paths":["nodes","edges","length","confidence","worst_tier"]}}',
  "trace.taint":
    '{"version":1,"lists":{"findings":["id","file_path","line","source","sink","confidence","tier","paths"],"sanitizers_met":["name","file_path","line"]}}',
  "workspace.graph": '{"version":1,"lists":{"per_repo":["name","root","files"]}}',
  "workspace.index":
    '{"version":1,"lists":{"failed_files":["path","reason"],"languages":["language","files","depth","symbols"],"language_servers":["id","state","version","source","memory_bytes","restarts","detail","hint"]}}',
  "workspace.info": '{"version":1,"lists":{"members":["name","root","kind","branch","head","files"]}}',
  "workspace.project":
    '{"version":1,"lists":{"results":["id","kind","name","file_path","line","signature","test","match","score"]}}',
  "workspace.proxy":
    '{"version":1,"lists":{"remotes":["slug","global_enabled","session_override","effective"]}}',
  "workspace.repos": '{"version":1,"lists":{"repos":["name","root"]}}',
  "workspace.scopes": '{"version":1,"lists":{"scopes":["name","description","repos","paths"]}}',
  "workspace_admin.blame":
    '{"version":1,"lists":{"per_repo":["root","head","commits","enriched","shallow_clone","error"],"not_measured":["path","reason"]}}',
  "workspace_admin.coverage": '{"version":1,"lists":{"left_out":["path","reason"]}}',
  "workspace_admin.enrich_churn":
    '{"version":1,"lists":{"repos":["files","symbols","root","head","commits","shallow_clone"],"failures":["root","error"],"not_measured":["path","reason"]}}',
  "workspace_admin.feedback":
    '{"version":1,"lists":{"most_useful":["id","count"],"most_missed":["id","count"],"most_demoted":["id","count"]}}',
  "workspace_admin.sql_rebuild": '{"version":1,"lists":{"skipped_files":["file_path","reason"]}}'
}

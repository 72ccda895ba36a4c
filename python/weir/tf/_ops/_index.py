"""The functions of each file. Written by tools/python_ops."""

NAMES = {
    'array_block':
        'batch_matrix_band_part batch_matrix_diag batch_matrix_diag_part batch_matrix_set_diag batch_to_space '
        'batch_to_space_nd depth_to_space diag diag_part extract_image_patches extract_volume_patches matrix_band_part '
        'matrix_diag matrix_diag_part matrix_diag_part_v2 matrix_diag_part_v3 matrix_diag_v2 matrix_diag_v3 '
        'matrix_set_diag matrix_set_diag_v2 matrix_set_diag_v3 space_to_batch space_to_batch_nd space_to_depth ',
    'array_quant':
        'fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient fake_quant_with_min_max_vars '
        'fake_quant_with_min_max_vars_gradient fake_quant_with_min_max_vars_per_channel '
        'fake_quant_with_min_max_vars_per_channel_gradient quantize_and_dequantize quantize_and_dequantize_v2 '
        'quantize_and_dequantize_v3 quantize_and_dequantize_v4 quantize_and_dequantize_v4_grad quantize_v2 ',
    'array_select':
        'dynamic_partition dynamic_stitch gather gather_nd gather_v2 inplace_add inplace_sub inplace_update list_diff '
        'lower_bound one_hot parallel_dynamic_stitch resource_strided_slice_assign scatter_nd '
        'scatter_nd_non_aliasing_add slice strided_slice strided_slice_assign strided_slice_grad tensor_scatter_add '
        'tensor_scatter_max tensor_scatter_min tensor_scatter_sub tensor_scatter_update tensor_strided_slice_update '
        'unique unique_v2 unique_with_counts unique_with_counts_v2 upper_bound where xla_set_bound ',
    'array_shape':
        'bitcast broadcast_to concat concat_offset concat_v2 conjugate_transpose const deep_copy dequantize '
        'edit_distance empty ensure_shape expand_dims fill guarantee_const host_const identity identity_n '
        'immutable_const invert_permutation mirror_pad mirror_pad_grad no_op ones_like pack pad pad_v2 parallel_concat '
        'placeholder placeholder_v2 placeholder_with_default prevent_gradient rank reshape reverse reverse_sequence '
        'reverse_v2 roll shape shape_n size snapshot split split_v squeeze stop_gradient tile tile_grad timestamp '
        'transpose unpack unravel_index zeros_like ',
    'array_tool':
        'assert_ check_numerics check_numerics_v2 copy copy_host debug_gradient_identity debug_identity '
        'debug_identity_v2 debug_identity_v3 debug_nan_count debug_numeric_summary debug_numeric_summary_v2 print '
        'print_v2 xla_cluster_output xla_optimization_barrier xla_remove_dynamic_dimension_size xla_sharding '
        'xla_spmd_full_to_shard_shape xla_spmd_shard_to_full_shape ',
    'collective':
        'collective_all_to_all_v2 collective_all_to_all_v3 collective_bcast_recv collective_bcast_recv_v2 '
        'collective_bcast_send collective_bcast_send_v2 collective_gather collective_gather_v2 '
        'collective_initialize_communicator collective_reduce collective_reduce_scatter_v2 collective_reduce_v2 '
        'collective_reduce_v3 ',
    'data_flow_array':
        'stack stack_close stack_close_v2 stack_pop stack_pop_v2 stack_push stack_push_v2 stack_v2 tensor_array '
        'tensor_array_close tensor_array_close_v2 tensor_array_close_v3 tensor_array_concat tensor_array_concat_v2 '
        'tensor_array_concat_v3 tensor_array_gather tensor_array_gather_v2 tensor_array_gather_v3 tensor_array_grad '
        'tensor_array_grad_v2 tensor_array_grad_v3 tensor_array_grad_with_shape tensor_array_pack tensor_array_read '
        'tensor_array_read_v2 tensor_array_read_v3 tensor_array_scatter tensor_array_scatter_v2 tensor_array_scatter_v3 '
        'tensor_array_size tensor_array_size_v2 tensor_array_size_v3 tensor_array_split tensor_array_split_v2 '
        'tensor_array_split_v3 tensor_array_unpack tensor_array_v2 tensor_array_v3 tensor_array_write '
        'tensor_array_write_v2 tensor_array_write_v3 ',
    'data_flow_list':
        'composite_tensor_variant_from_components composite_tensor_variant_to_components empty_tensor_list '
        'empty_tensor_map tensor_list_concat tensor_list_concat_lists tensor_list_concat_v2 tensor_list_element_shape '
        'tensor_list_from_tensor tensor_list_gather tensor_list_get_item tensor_list_length tensor_list_pop_back '
        'tensor_list_push_back tensor_list_push_back_batch tensor_list_reserve tensor_list_resize tensor_list_scatter '
        'tensor_list_scatter_into_existing_list tensor_list_scatter_v2 tensor_list_set_item tensor_list_split '
        'tensor_list_stack tensor_map_erase tensor_map_has_key tensor_map_insert tensor_map_lookup tensor_map_size '
        'tensor_map_stack_keys ',
    'data_flow_queue':
        'barrier barrier_close barrier_incomplete_size barrier_insert_many barrier_ready_size barrier_take_many '
        'fifo_queue fifo_queue_v2 fake_queue padding_fifo_queue padding_fifo_queue_v2 priority_queue priority_queue_v2 '
        'queue_close queue_close_v2 queue_dequeue queue_dequeue_many queue_dequeue_many_v2 queue_dequeue_up_to '
        'queue_dequeue_up_to_v2 queue_dequeue_v2 queue_enqueue queue_enqueue_many queue_enqueue_many_v2 '
        'queue_enqueue_v2 queue_is_closed queue_is_closed_v2 queue_size queue_size_v2 random_shuffle_queue '
        'random_shuffle_queue_v2 ',
    'data_flow_stage':
        'accumulator_apply_gradient accumulator_num_accumulated accumulator_set_global_step accumulator_take_gradient '
        'conditional_accumulator consume_mutex_lock delete_session_tensor get_session_handle get_session_handle_v2 '
        'get_session_tensor map_clear map_incomplete_size map_peek map_size map_stage map_unstage map_unstage_no_key '
        'mutex_lock mutex_v2 ordered_map_clear ordered_map_incomplete_size ordered_map_peek ordered_map_size '
        'ordered_map_stage ordered_map_unstage ordered_map_unstage_no_key resource_accumulator_apply_gradient '
        'resource_accumulator_num_accumulated resource_accumulator_set_global_step resource_accumulator_take_gradient '
        'resource_conditional_accumulator sparse_accumulator_apply_gradient sparse_accumulator_take_gradient '
        'sparse_conditional_accumulator stage stage_clear stage_peek stage_size unstage ',
    'data_function':
        'directed_interleave_dataset filter_by_last_component_dataset filter_dataset flat_map_dataset generator_dataset '
        'index_flat_map_dataset interleave_dataset legacy_parallel_interleave_dataset_v2 map_and_batch_dataset '
        'map_dataset map_defun parallel_filter_dataset parallel_interleave_dataset parallel_interleave_dataset_v2 '
        'parallel_interleave_dataset_v3 parallel_interleave_dataset_v4 parallel_map_dataset parallel_map_dataset_v2 '
        'scan_dataset take_while_dataset ',
    'data_group':
        'auto_shard_dataset batch_dataset batch_dataset_v2 compute_batch_size dense_to_sparse_batch_dataset '
        'group_by_reducer_dataset group_by_window_dataset padded_batch_dataset padded_batch_dataset_v2 '
        'parallel_batch_dataset shard_dataset sliding_window_dataset unique_dataset window_dataset window_op ',
    'data_iterator':
        'anonymous_iterator anonymous_iterator_v2 anonymous_iterator_v3 anonymous_memory_cache '
        'anonymous_multi_device_iterator anonymous_multi_device_iterator_v3 anonymous_random_seed_generator '
        'anonymous_seed_generator dataset_cardinality dataset_from_graph dataset_to_graph dataset_to_graph_v2 '
        'dataset_to_single_element dataset_to_tf_record delete_iterator delete_memory_cache '
        'delete_multi_device_iterator delete_random_seed_generator delete_seed_generator deserialize_iterator '
        'dummy_memory_cache dummy_seed_generator get_element_at_index get_options iterator iterator_from_string_handle '
        'iterator_from_string_handle_v2 iterator_get_device iterator_get_next iterator_get_next_as_optional '
        'iterator_get_next_sync iterator_to_string_handle iterator_v2 make_iterator multi_device_iterator '
        'multi_device_iterator_from_string_handle multi_device_iterator_get_next_from_shard multi_device_iterator_init '
        'multi_device_iterator_to_string_handle one_shot_iterator optional_from_value optional_get_value '
        'optional_has_value optional_none reduce_dataset serialize_iterator ',
    'data_older':
        'experimental_assert_next_dataset experimental_auto_shard_dataset experimental_bytes_produced_stats_dataset '
        'experimental_csv_dataset experimental_choose_fastest_dataset experimental_dataset_cardinality '
        'experimental_dataset_to_tf_record experimental_dense_to_sparse_batch_dataset '
        'experimental_directed_interleave_dataset experimental_group_by_reducer_dataset '
        'experimental_group_by_window_dataset experimental_ignore_errors_dataset experimental_iterator_get_device '
        'experimental_latency_stats_dataset experimental_map_and_batch_dataset experimental_map_dataset '
        'experimental_matching_files_dataset experimental_max_intra_op_parallelism_dataset '
        'experimental_non_serializable_dataset experimental_parallel_interleave_dataset '
        'experimental_parse_example_dataset experimental_private_thread_pool_dataset experimental_random_dataset '
        'experimental_rebatch_dataset experimental_scan_dataset experimental_set_stats_aggregator_dataset '
        'experimental_sleep_dataset experimental_sliding_window_dataset experimental_stats_aggregator_handle '
        'experimental_stats_aggregator_summary experimental_take_while_dataset experimental_thread_pool_dataset '
        'experimental_thread_pool_handle experimental_unbatch_dataset experimental_unique_dataset ',
    'data_order':
        'csv_dataset csv_dataset_v2 cache_dataset cache_dataset_v2 choose_fastest_branch_dataset choose_fastest_dataset '
        'compress_element concatenate_dataset dataset_fingerprint global_shuffle_dataset ignore_errors_dataset '
        'initialize_table_from_dataset list_dataset matching_files_dataset parse_example_dataset '
        'parse_example_dataset_v2 prefetch_dataset rebatch_dataset rebatch_dataset_v2 repeat_dataset sampling_dataset '
        'shuffle_and_repeat_dataset shuffle_and_repeat_dataset_v2 shuffle_dataset shuffle_dataset_v2 shuffle_dataset_v3 '
        'skip_dataset sleep_dataset take_dataset thread_pool_dataset thread_pool_handle unbatch_dataset '
        'uncompress_element unwrap_dataset_variant wrap_dataset_variant zip_dataset ',
    'data_saved':
        'list_snapshot_chunks_dataset load_dataset save_dataset save_dataset_v2 snapshot_chunk_dataset snapshot_dataset '
        'snapshot_dataset_reader snapshot_dataset_v2 snapshot_nested_dataset_reader ',
    'data_setting':
        'assert_cardinality_dataset assert_next_dataset assert_prev_dataset bytes_produced_stats_dataset '
        'finalize_dataset latency_stats_dataset max_intra_op_parallelism_dataset model_dataset non_serializable_dataset '
        'optimize_dataset optimize_dataset_v2 options_dataset private_thread_pool_dataset rewrite_dataset '
        'set_stats_aggregator_dataset stats_aggregator_handle stats_aggregator_handle_v2 '
        'stats_aggregator_set_summary_writer stats_aggregator_summary ',
    'data_source':
        'fixed_length_record_dataset fixed_length_record_dataset_v2 random_dataset random_dataset_v2 range_dataset '
        'sparse_tensor_slice_dataset tf_record_dataset tf_record_dataset_v2 tensor_dataset tensor_slice_dataset '
        'text_line_dataset ',
    'flow':
        'abort batch batch_function case control_trigger debug_gradient_ref_identity device_index eager_py_func enter '
        'exit fake_param for_ if_ loop_cond merge next_iteration partitioned_call py_func py_func_stateless ref_enter '
        'ref_exit ref_identity ref_merge ref_next_iteration ref_select ref_switch remote_call risc_condition risc_while '
        'stateful_partitioned_call stateless_case stateless_if stateless_while switch symbolic_gradient '
        'tpu_partitioned_call to_bool unbatch unbatch_grad while_ xla_if xla_launch xla_launch_v2 xla_while ',
    'image_picture':
        'adjust_contrast adjust_contrastv2 adjust_hue adjust_saturation combined_non_max_suppression crop_and_resize '
        'crop_and_resize_grad_boxes crop_and_resize_grad_image decode_and_crop_jpeg decode_bmp decode_gif decode_image '
        'decode_jpeg decode_png draw_bounding_boxes draw_bounding_boxes_v2 encode_jpeg encode_jpeg_variable_quality '
        'encode_png extract_glimpse extract_glimpse_v2 extract_jpeg_shape hsv_to_rgb image_projective_transform_v2 '
        'image_projective_transform_v3 non_max_suppression non_max_suppression_v2 non_max_suppression_v3 '
        'non_max_suppression_v4 non_max_suppression_v5 non_max_suppression_with_overlaps rgb_to_hsv random_crop '
        'resize_area resize_bicubic resize_bicubic_grad resize_bilinear resize_bilinear_grad resize_nearest_neighbor '
        'resize_nearest_neighbor_grad sample_distorted_bounding_box sample_distorted_bounding_box_v2 '
        'scale_and_translate scale_and_translate_grad stateless_sample_distorted_bounding_box ',
    'image_sound':
        'audio_spectrogram decode_wav encode_wav mfcc ',
    'internal':
        'recv send _arg _fused_batch_norm_ex _fused_conv2d _fused_conv3d _fused_depthwise_conv2d_native _fused_mat_mul '
        '_host_recv _host_send _mkl_fused_batch_mat_mul_v2 _mkl_fused_instance_norm _mkl_fused_mish _mkl_layer_norm '
        '_mkl_swish _recv _retval _send _switch_n _tensor_to_hash_bucket_fast _unary_ops_composition ',
    'io':
        'fixed_length_record_reader fixed_length_record_reader_v2 generate_vocab_remapping identity_reader '
        'identity_reader_v2 load_and_remap_matrix matching_files merge_v2_checkpoints read_file '
        'reader_num_records_produced reader_num_records_produced_v2 reader_num_work_units_completed '
        'reader_num_work_units_completed_v2 reader_read reader_read_up_to reader_read_up_to_v2 reader_read_v2 '
        'reader_reset reader_reset_v2 reader_restore_state reader_restore_state_v2 reader_serialize_state '
        'reader_serialize_state_v2 record_input restore restore_slice restore_v2 save save_slices save_v2 '
        'sharded_filename sharded_filespec tf_record_reader tf_record_reader_v2 text_line_reader text_line_reader_v2 '
        'whole_file_reader whole_file_reader_v2 write_file ',
    'linalg':
        'banded_triangular_solve batch_cholesky batch_cholesky_grad batch_matrix_determinant batch_matrix_inverse '
        'batch_matrix_solve batch_matrix_solve_ls batch_matrix_triangular_solve batch_self_adjoint_eig '
        'batch_self_adjoint_eig_v2 batch_svd cholesky cholesky_grad eig einsum log_matrix_determinant lu '
        'matrix_determinant matrix_exponential matrix_inverse matrix_logarithm matrix_solve matrix_solve_ls '
        'matrix_square_root matrix_triangular_solve qr self_adjoint_eig self_adjoint_eig_v2 svd tridiagonal_mat_mul '
        'tridiagonal_solve ',
    'lookup':
        'anonymous_hash_table anonymous_mutable_dense_hash_table anonymous_mutable_hash_table '
        'anonymous_mutable_hash_table_of_tensors hash_table hash_table_v2 initialize_table '
        'initialize_table_from_text_file initialize_table_from_text_file_v2 initialize_table_v2 lookup_table_export '
        'lookup_table_export_v2 lookup_table_find lookup_table_find_v2 lookup_table_import lookup_table_import_v2 '
        'lookup_table_insert lookup_table_insert_v2 lookup_table_remove_v2 lookup_table_size lookup_table_size_v2 '
        'mutable_dense_hash_table mutable_dense_hash_table_v2 mutable_hash_table mutable_hash_table_of_tensors '
        'mutable_hash_table_of_tensors_v2 mutable_hash_table_v2 ',
    'math_elementwise':
        'abs acos acosh add add_v2 approximate_equal asin asinh atan atan2 atanh bitwise_and bitwise_or bitwise_xor '
        'broadcast_args broadcast_gradient_args cast ceil clip_by_value cos cosh cross div div_no_nan equal exp expm1 '
        'floor floor_div floor_mod greater greater_equal inv inv_grad invert is_finite is_inf is_nan left_shift less '
        'less_equal log log1p logical_and logical_not logical_or maximum minimum mod mul mul_no_nan neg next_after '
        'not_equal population_count pow random_gamma_grad real_div reciprocal reciprocal_grad right_shift rint round '
        'rsqrt rsqrt_grad select select_v2 sigmoid sigmoid_grad sign sin sinh sqrt sqrt_grad square squared_difference '
        'sub tan tanh tanh_grad truncate_div truncate_mod xdivy xlog1py xlogy ',
    'math_reduce':
        'accumulate_nv2 add_n all any arg_max arg_min bincount bucketize cumprod cumsum cumulative_logsumexp '
        'dense_bincount euclidean_norm histogram_fixed_width kmc2_chain_initialization kmeans_plus_plus_initialization '
        'lin_space max mean min nearest_neighbors prod ragged_bincount range segment_max segment_max_v2 segment_mean '
        'segment_min segment_min_v2 segment_prod segment_prod_v2 segment_sum segment_sum_v2 sparse_bincount '
        'sparse_segment_mean sparse_segment_mean_grad sparse_segment_mean_grad_v2 sparse_segment_mean_with_num_segments '
        'sparse_segment_sqrt_n sparse_segment_sqrt_n_grad sparse_segment_sqrt_n_grad_v2 '
        'sparse_segment_sqrt_n_with_num_segments sparse_segment_sum sparse_segment_sum_grad sparse_segment_sum_grad_v2 '
        'sparse_segment_sum_with_num_segments sum unsorted_segment_max unsorted_segment_min unsorted_segment_prod '
        'unsorted_segment_sum ',
    'math_risc':
        'risc_abs risc_add risc_binary_arithmetic risc_binary_comparison risc_bitcast risc_broadcast risc_cast '
        'risc_ceil risc_cholesky risc_concat risc_conv risc_cos risc_div risc_dot risc_exp risc_fft risc_floor '
        'risc_gather risc_imag risc_is_finite risc_log risc_logical_and risc_logical_not risc_logical_or risc_max '
        'risc_min risc_mul risc_neg risc_pad risc_pool risc_pow risc_random_uniform risc_real risc_reduce risc_rem '
        'risc_reshape risc_reverse risc_scatter risc_shape risc_sign risc_slice risc_squeeze risc_sub risc_transpose '
        'risc_triangular_solve risc_unary ',
    'math_special':
        'angle batch_fft batch_fft2d batch_fft3d batch_ifft batch_ifft2d batch_ifft3d bessel_i0 bessel_i0e bessel_i1 '
        'bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 betainc complex '
        'complex_abs conj dawsn digamma erf erfc erfinv expint fft fft2d fft3d fftnd fresnel_cos fresnel_sin ifft '
        'ifft2d ifft3d ifftnd irfft irfft2d irfft3d irfftnd igamma igamma_grad_a igammac imag lgamma ndtri polygamma '
        'rfft rfft2d rfft3d rfftnd real spence zeta ',
    'nn_conv':
        'batch_mat_mul batch_mat_mul_v2 batch_mat_mul_v3 bias_add bias_add_grad bias_add_v1 conv conv2d '
        'conv2d_backprop_filter conv2d_backprop_filter_v2 conv2d_backprop_input conv2d_backprop_input_v2 conv3d '
        'conv3d_backprop_filter conv3d_backprop_filter_v2 conv3d_backprop_input conv3d_backprop_input_v2 '
        'data_format_dim_map data_format_vec_permute depthwise_conv2d_native depthwise_conv2d_native_backprop_filter '
        'depthwise_conv2d_native_backprop_input dilation2d dilation2d_backprop_filter dilation2d_backprop_input '
        'fused_pad_conv2d fused_resize_and_pad_conv2d mat_mul ',
    'nn_layer':
        'all_candidate_sampler approx_top_k compute_accidental_hits elu elu_grad fixed_unigram_candidate_sampler '
        'in_top_k in_top_kv2 isotonic_regression leaky_relu leaky_relu_grad learned_unigram_candidate_sampler '
        'log_softmax log_uniform_candidate_sampler make_unique nth_element relu relu6 relu6_grad relu_grad selu '
        'selu_grad softmax softmax_cross_entropy_with_logits softplus softplus_grad softsign softsign_grad '
        'sparse_softmax_cross_entropy_with_logits thread_unsafe_unigram_candidate_sampler top_k top_k_unique top_kv2 '
        'uniform_candidate_sampler ',
    'nn_norm':
        'batch_norm_with_global_normalization batch_norm_with_global_normalization_grad fused_batch_norm '
        'fused_batch_norm_grad fused_batch_norm_grad_v2 fused_batch_norm_grad_v3 fused_batch_norm_v2 '
        'fused_batch_norm_v3 l2_loss lrn lrn_grad ',
    'nn_pool':
        'avg_pool avg_pool3d avg_pool3d_grad avg_pool_grad fractional_avg_pool fractional_avg_pool_grad '
        'fractional_max_pool fractional_max_pool_grad max_pool max_pool3d max_pool3d_grad max_pool3d_grad_grad '
        'max_pool_grad max_pool_grad_grad max_pool_grad_grad_v2 max_pool_grad_grad_with_argmax max_pool_grad_v2 '
        'max_pool_grad_with_argmax max_pool_v2 max_pool_with_argmax ',
    'nn_recurrent':
        'block_lstm block_lstm_grad block_lstm_grad_v2 block_lstmv2 ctc_beam_search_decoder ctc_greedy_decoder ctc_loss '
        'ctc_loss_v2 gru_block_cell gru_block_cell_grad lstm_block_cell lstm_block_cell_grad ',
    'parsing':
        'decode_csv decode_compressed decode_json_example decode_padded_raw decode_proto_v2 decode_raw encode_proto '
        'parse_example parse_example_v2 parse_sequence_example parse_sequence_example_v2 parse_single_example '
        'parse_single_sequence_example parse_tensor serialize_tensor ',
    'quant':
        'quantize_down_and_shrink_range quantized_add quantized_avg_pool quantized_bias_add quantized_concat '
        'quantized_concat_v2 quantized_conv2d quantized_mat_mul quantized_max_pool quantized_mul quantized_relu '
        'quantized_relu6 quantized_relu_x quantized_reshape requantization_range requantize uniform_dequantize '
        'uniform_quantize uniform_quantized_add uniform_quantized_clip_by_value uniform_quantized_dot '
        'uniform_quantized_dot_hybrid uniform_requantize ',
    'random':
        'multinomial non_deterministic_ints parameterized_truncated_normal random_gamma random_index_shuffle '
        'random_poisson random_poisson_v2 random_shuffle random_standard_normal random_uniform random_uniform_int '
        'rng_read_and_skip rng_skip sobol_sample stateful_random_binomial stateful_standard_normal '
        'stateful_standard_normal_v2 stateful_truncated_normal stateful_uniform stateful_uniform_full_int '
        'stateful_uniform_int stateless_multinomial stateless_parameterized_truncated_normal stateless_random_binomial '
        'stateless_random_gamma_v2 stateless_random_gamma_v3 stateless_random_get_alg stateless_random_get_key_counter '
        'stateless_random_get_key_counter_alg stateless_random_normal stateless_random_normal_v2 '
        'stateless_random_poisson stateless_random_uniform stateless_random_uniform_full_int '
        'stateless_random_uniform_full_int_v2 stateless_random_uniform_int stateless_random_uniform_int_v2 '
        'stateless_random_uniform_v2 stateless_shuffle stateless_truncated_normal stateless_truncated_normal_v2 '
        'stochastic_cast_to_int truncated_normal ',
    'sparse_form':
        'add_many_sparse_to_tensors_map add_sparse_to_tensors_map csr_sparse_matrix_components '
        'csr_sparse_matrix_to_dense csr_sparse_matrix_to_sparse_tensor dense_count_sparse_output '
        'dense_to_csr_sparse_matrix dense_to_dense_set_operation dense_to_sparse_set_operation '
        'ragged_count_sparse_output ragged_cross ragged_fill_empty_rows ragged_fill_empty_rows_grad ragged_gather '
        'ragged_range ragged_tensor_from_variant ragged_tensor_to_sparse ragged_tensor_to_tensor '
        'ragged_tensor_to_variant ragged_tensor_to_variant_gradient serialize_many_sparse serialize_sparse set_size '
        'sparse_count_sparse_output sparse_matrix_add sparse_matrix_mat_mul sparse_matrix_mul sparse_matrix_nnz '
        'sparse_matrix_softmax sparse_matrix_softmax_grad sparse_matrix_sparse_mat_mul sparse_matrix_transpose '
        'sparse_matrix_zeros sparse_tensor_to_csr_sparse_matrix sparse_to_sparse_set_operation '
        'take_many_sparse_from_tensors_map ',
    'sparse_tensor':
        'deserialize_many_sparse deserialize_sparse sparse_add sparse_add_grad sparse_concat sparse_cross '
        'sparse_cross_hashed sparse_cross_v2 sparse_dense_cwise_add sparse_dense_cwise_div sparse_dense_cwise_mul '
        'sparse_fill_empty_rows sparse_fill_empty_rows_grad sparse_mat_mul sparse_reduce_max sparse_reduce_max_sparse '
        'sparse_reduce_sum sparse_reduce_sum_sparse sparse_reorder sparse_reshape sparse_slice sparse_slice_grad '
        'sparse_softmax sparse_sparse_maximum sparse_sparse_minimum sparse_split sparse_tensor_dense_add '
        'sparse_tensor_dense_mat_mul sparse_to_dense ',
    'state':
        'assign assign_add assign_add_variable_op assign_sub assign_sub_variable_op assign_variable_op count_up_to '
        'destroy_resource_op destroy_temporary_variable disable_copy_on_read is_variable_initialized read_variable_op '
        'resource_count_up_to resource_gather resource_gather_nd resource_scatter_add resource_scatter_div '
        'resource_scatter_max resource_scatter_min resource_scatter_mul resource_scatter_nd_add resource_scatter_nd_max '
        'resource_scatter_nd_min resource_scatter_nd_sub resource_scatter_nd_update resource_scatter_sub '
        'resource_scatter_update scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd_add '
        'scatter_nd_max scatter_nd_min scatter_nd_sub scatter_nd_update scatter_sub scatter_update temporary_variable '
        'var_handle_op var_is_initialized_op variable variable_shape variable_v2 ',
    'string':
        'as_string decode_base64 encode_base64 fingerprint reduce_join regex_full_match regex_replace '
        'static_regex_full_match static_regex_replace string_format string_join string_length string_lower '
        'string_n_grams string_split string_split_v2 string_strip string_to_hash_bucket string_to_hash_bucket_fast '
        'string_to_hash_bucket_strong string_to_number string_upper substr unicode_decode unicode_decode_with_offsets '
        'unicode_encode unicode_script unicode_transcode unsorted_segment_join ',
    'summary':
        'audio_summary audio_summary_v2 close_summary_writer create_summary_file_writer flush_summary_writer '
        'histogram_summary image_summary import_event merge_summary scalar_summary summary_writer tensor_summary '
        'tensor_summary_v2 write_audio_summary write_graph_summary write_histogram_summary write_image_summary '
        'write_raw_proto_summary write_scalar_summary write_summary ',
    'train_row':
        'resource_sparse_apply_adadelta resource_sparse_apply_adagrad resource_sparse_apply_adagrad_da '
        'resource_sparse_apply_adagrad_v2 resource_sparse_apply_centered_rms_prop resource_sparse_apply_ftrl '
        'resource_sparse_apply_ftrl_v2 resource_sparse_apply_keras_momentum resource_sparse_apply_momentum '
        'resource_sparse_apply_proximal_adagrad resource_sparse_apply_proximal_gradient_descent '
        'resource_sparse_apply_rms_prop sparse_apply_adadelta sparse_apply_adagrad sparse_apply_adagrad_da '
        'sparse_apply_adagrad_v2 sparse_apply_centered_rms_prop sparse_apply_ftrl sparse_apply_ftrl_v2 '
        'sparse_apply_momentum sparse_apply_proximal_adagrad sparse_apply_proximal_gradient_descent '
        'sparse_apply_rms_prop ',
    'train_whole':
        'apply_ada_max apply_adadelta apply_adagrad apply_adagrad_da apply_adagrad_v2 apply_adam apply_add_sign '
        'apply_centered_rms_prop apply_ftrl apply_ftrl_v2 apply_gradient_descent apply_momentum apply_power_sign '
        'apply_proximal_adagrad apply_proximal_gradient_descent apply_rms_prop resource_apply_ada_max '
        'resource_apply_adadelta resource_apply_adagrad resource_apply_adagrad_da resource_apply_adagrad_v2 '
        'resource_apply_adam resource_apply_adam_with_amsgrad resource_apply_add_sign resource_apply_centered_rms_prop '
        'resource_apply_ftrl resource_apply_ftrl_v2 resource_apply_gradient_descent resource_apply_keras_momentum '
        'resource_apply_momentum resource_apply_power_sign resource_apply_proximal_adagrad '
        'resource_apply_proximal_gradient_descent resource_apply_rms_prop sdca_shrink_l1 ',
    'xla':
        'all_to_all assign_variable_xla_concat_nd collective_assign_group_v2 collective_permute copy_to_mesh '
        'copy_to_mesh_grad cross_replica_sum is_tpu_embedding_initialized nccl_all_reduce nccl_broadcast nccl_reduce '
        'read_variable_xla_split_nd relayout relayout_like risc_sort sync_device '
        'tpu_annotate_tensors_with_dynamic_shape tpu_compilation_result tpu_compile_succeeded_assert tpu_dummy_input '
        'tpu_embedding_activations tpu_partitioned_input tpu_partitioned_input_v2 tpu_partitioned_output '
        'tpu_partitioned_output_v2 tpu_replicate_metadata tpu_replicated_input tpu_replicated_output tpu_round_robin '
        'xla_all_reduce xla_broadcast_helper xla_concat_nd xla_conv xla_conv_v2 xla_dot xla_dot_v2 xla_dynamic_slice '
        'xla_dynamic_update_slice xla_einsum xla_gather xla_key_value_sort xla_pad xla_reduce xla_reduce_precision '
        'xla_reduce_scatter xla_reduce_window xla_replica_id xla_scatter xla_self_adjoint_eig '
        'xla_set_dynamic_dimension_size xla_sort xla_split_nd xla_svd xla_variadic_reduce xla_variadic_reduce_v2 '
        'xla_variadic_sort ',
}
